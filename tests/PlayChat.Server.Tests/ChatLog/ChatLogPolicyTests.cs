using Microsoft.Extensions.DependencyInjection;
using PlayChat.Protocol;
using PlayChat.Server.Tests.Chat;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.ChatLog;

public sealed class ChatLogPolicyTests
{
    [Fact]
    public async Task Under_Count_chat_goes_on_without_a_database_and_what_is_not_stored_is_counted()
    {
        var back = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var store = new FaultyStore { AppendWaitsFor = back.Task };
        await using TestServer server = await TestServer.StartInAsync(
            null,
            services => store.Wrap(services),
            "--ChatLog:QueueRecords=2",
            "--ChatLog:BatchRecords=1",
            "--ChatLog:FullPolicy=Count",
            "--ChatLog:SpillFile=",
            TestServer.Fleeting);
        await using TestClient kim = await server.LoginAsync("kim");
        long roomId = (await kim.CreateAsync("lobby")).RoomId;

        for (int i = 0; i < 10; i++)
        {
            await kim.SayAsync(roomId, $"message {i}");
        }

        Assert.Equal(8, server.Log.Metrics.NotStored);
        Assert.Equal(8, server.Figures.Extras.Single(extra => extra.Key == "chat_not_stored").Value);
        back.SetResult();
        await server.StopAsync();
        // What is said when the player leaves may or may not find space again.
        Assert.Equal(server.Log.Metrics.Accepted, server.Log.Metrics.Stored);
        Assert.Equal(11, server.Log.Metrics.Stored + server.Log.Metrics.NotStored);
    }

    [Fact]
    public async Task Under_Wait_a_sender_waits_and_is_refused_in_the_end_but_nothing_that_was_said_is_lost()
    {
        var time = new ManualTimeProvider();
        var back = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var store = new FaultyStore { AppendWaitsFor = back.Task };
        await using TestServer server = await TestServer.StartInAsync(
            null,
            services =>
            {
                services.AddSingleton<TimeProvider>(time);
                store.Wrap(services);
            },
            "--ChatLog:QueueRecords=1",
            "--ChatLog:BatchRecords=1",
            "--ChatLog:FullPolicy=Wait",
            "--ChatLog:SpillFile=",
            "--ChatLog:FullTimeout=00:00:10",
            TestServer.Fleeting);
        await using TestClient kim = await server.LoginAsync("kim");
        long roomId = (await kim.CreateAsync("lobby")).RoomId;

        await kim.SayAsync(roomId, "fills the queue");
        await kim.SayAsync(roomId, "lies with the writer");
        int timers = time.PendingTimers;
        Task<SErrorNtf> waiting = kim.FailAsync(ChatPackets.CRoomChatReq, new CRoomChatReq { RoomId = roomId, Text = "too much" });
        await time.WaitForTimersAsync(timers + 1).WaitAsync(TestTimeouts.Hang);
        time.Advance(TimeSpan.FromSeconds(10));
        SErrorNtf refused = await waiting;
        SEchoRes alive = await kim.AskAsync<CEchoReq, SEchoRes>(ChatPackets.CEchoReq, new CEchoReq());
        back.SetResult();
        SRoomChatRes again = await kim.SayAsync(roomId, "again");
        await server.StopAsync();

        Assert.Equal(ErrorCode.StorageUnavailable, refused.Code);
        Assert.NotNull(alive);
        Assert.Equal(3, again.Sequence);
        Assert.Equal(0, server.Log.Metrics.NotStored);
        Assert.Equal(4, server.Log.Metrics.Stored); // with the message that the player has left
    }

    [Fact]
    public async Task A_waiting_sender_goes_on_as_soon_as_there_is_space()
    {
        var back = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var store = new FaultyStore { AppendWaitsFor = back.Task };
        await using TestServer server = await TestServer.StartInAsync(
            null,
            services => store.Wrap(services),
            "--ChatLog:QueueRecords=1",
            "--ChatLog:BatchRecords=1",
            "--ChatLog:FullPolicy=Wait",
            "--ChatLog:SpillFile=",
            "--ChatLog:FullTimeout=00:10:00");
        await using TestClient kim = await server.LoginAsync("kim");
        long roomId = (await kim.CreateAsync("lobby")).RoomId;

        await kim.SayAsync(roomId, "one");
        await kim.SayAsync(roomId, "two");
        Task<SRoomChatRes> third = kim.SayAsync(roomId, "three");
        await Eventually.TrueAsync(() => server.LogGate.WaitingSenders == 1);
        Assert.False(third.IsCompleted);
        back.SetResult();

        Assert.Equal(3, (await third.WaitAsync(TestTimeouts.Hang)).Sequence);
    }

    [Fact]
    public async Task Under_Wait_all_that_was_answered_before_a_stop_is_stored()
    {
        var back = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var store = new FaultyStore { AppendWaitsFor = back.Task };
        await using TestServer server = await TestServer.StartInAsync(
            null,
            services => store.Wrap(services),
            "--ChatLog:QueueRecords=1",
            "--ChatLog:BatchRecords=1",
            "--ChatLog:FullPolicy=Wait",
            "--ChatLog:SpillFile=",
            "--ChatLog:FullTimeout=00:10:00",
            TestServer.Fleeting);
        await using TestClient kim = await server.LoginAsync("kim");
        long roomId = (await kim.CreateAsync("lobby")).RoomId;
        await kim.SayAsync(roomId, "fills the queue");
        await kim.SayAsync(roomId, "lies with the writer");

        Task stopping = server.StopAsync();
        await Eventually.TrueAsync(() => server.Log.Metrics.Waiting == 0);
        back.SetResult();
        await stopping;

        Assert.Equal(3, server.Log.Metrics.Stored); // with the message that the player has left
        Assert.Equal(0, server.Log.Metrics.NotStored);
    }
}
