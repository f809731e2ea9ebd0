using Microsoft.Extensions.DependencyInjection;
using PlayChat.Chat.Rooms.Order;
using PlayChat.Protocol;
using PlayChat.Server.Tests.Chat;
using PlayChat.Storage;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.ChatLog;

public sealed class DurabilityTests
{
    private readonly TaskCompletionSource _back = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly ManualTimeProvider _time = new();
    private readonly FaultyStore _store = new();

    [Fact]
    public async Task Under_Stored_nobody_hears_a_message_before_the_store_has_it()
    {
        await using TestServer server = await StartAsync("Stored");
        await using TestClient kim = await server.LoginAsync("kim");
        await using TestClient lee = await server.LoginAsync("lee");
        long roomId = (await kim.CreateAsync("lobby")).RoomId;
        await lee.JoinAsync(roomId);

        Task<SRoomChatRes> said = kim.SayAsync(roomId, "wait for it");
        // The echo goes the same way and is not held up: so nothing else was sent before it.
        await lee.AskAsync<CEchoReq, SEchoRes>(ChatPackets.CEchoReq, new CEchoReq());
        await Eventually.TrueAsync(() => server.Log.Metrics.Queued == 1);
        Assert.False(said.IsCompleted);
        _back.SetResult();

        SRoomChatNtf heard = await lee.NextAsync<SRoomChatNtf>();
        Assert.Equal((await said).Sequence, heard.Sequence);
        IChatStore store = server.Store;
        Assert.Equal("wait for it", Assert.Single(await store.ReadChatAfterAsync(roomId, 0, 10)).Text);
    }

    [Fact]
    public async Task Under_Stored_a_join_takes_effect_at_once_and_is_heard_in_its_place_between_messages()
    {
        await using TestServer server = await StartAsync("Stored");
        await using TestClient kim = await server.LoginAsync("kim");
        await using TestClient lee = await server.LoginAsync("lee");
        long roomId = (await kim.CreateAsync("lobby")).RoomId;

        kim.Send(ChatPackets.CRoomChatReq, new CRoomChatReq { RoomId = roomId, Text = "first" }, requestId: 101);
        await Eventually.TrueAsync(() => server.Log.Metrics.Queued == 1);
        SJoinRoomRes joined = await lee.JoinAsync(roomId);
        kim.Send(ChatPackets.CRoomChatReq, new CRoomChatReq { RoomId = roomId, Text = "second" }, requestId: 102);
        await kim.AskAsync<CEchoReq, SEchoRes>(ChatPackets.CEchoReq, new CEchoReq());
        _back.SetResult();

        Assert.Equal((0L, 2), (joined.LatestSequence, joined.Members.Count));
        Assert.Equal(1, Assert.IsType<SRoomChatRes>(await kim.NextAnswerAsync(101)).Sequence);
        Assert.Equal(3, Assert.IsType<SRoomChatRes>(await kim.NextAnswerAsync(102)).Sequence);
        foreach (TestClient member in new[] { kim, lee })
        {
            SRoomChatNtf first = await member.NextAsync<SRoomChatNtf>();
            SJoinRoomNtf join = await member.NextAsync<SJoinRoomNtf>();
            SRoomChatNtf second = await member.NextAsync<SRoomChatNtf>();
            Assert.Equal(("first", 1L, 0L), (first.Text, first.Sequence, first.PreviousSequence));
            Assert.Equal(("lee", 2L, 1L), (join.Member.Name, join.Sequence, join.PreviousSequence));
            Assert.Equal(("second", 3L, 2L), (second.Text, second.Sequence, second.PreviousSequence));
        }
    }

    [Fact]
    public async Task Under_Stored_a_leave_takes_effect_at_once_and_is_heard_behind_the_messages_before_it()
    {
        await using TestServer server = await StartAsync("Stored");
        await using TestClient kim = await server.LoginAsync("kim");
        await using TestClient lee = await server.LoginAsync("lee");
        long roomId = (await kim.CreateAsync("lobby")).RoomId;
        await lee.JoinAsync(roomId);
        await kim.NextAsync<SJoinRoomNtf>();

        lee.Send(ChatPackets.CRoomChatReq, new CRoomChatReq { RoomId = roomId, Text = "goodbye" }, requestId: 201);
        await Eventually.TrueAsync(() => server.Log.Metrics.Queued == 1);
        await lee.LeaveAsync(roomId);
        _back.SetResult();

        Assert.Equal(2, Assert.IsType<SRoomChatRes>(await lee.NextAnswerAsync(201)).Sequence);
        Assert.Equal("goodbye", (await kim.NextAsync<SRoomChatNtf>()).Text);
        Assert.Equal("lee", (await kim.NextAsync<SRoomChatNtf>()).Left.Name);
    }

    [Fact]
    public async Task Under_Stored_who_says_it_again_is_answered_when_it_is_stored_and_it_is_heard_once()
    {
        await using TestServer server = await StartAsync("Stored");
        await using TestClient kim = await server.LoginAsync("kim");
        long roomId = (await kim.CreateAsync("lobby")).RoomId;
        var message = new CRoomChatReq { RoomId = roomId, Text = "once", ClientMessageId = 77 };

        kim.Send(ChatPackets.CRoomChatReq, message, requestId: 101);
        kim.Send(ChatPackets.CRoomChatReq, message, requestId: 102);
        await kim.AskAsync<CEchoReq, SEchoRes>(ChatPackets.CEchoReq, new CEchoReq());
        _back.SetResult();

        SRoomChatRes first = Assert.IsType<SRoomChatRes>(await kim.NextAnswerAsync(101));
        SRoomChatRes again = Assert.IsType<SRoomChatRes>(await kim.NextAnswerAsync(102));
        Assert.Equal((1L, false, 1L, true), (first.Sequence, first.Duplicate, again.Sequence, again.Duplicate));
        await kim.SayAsync(roomId, "next");
        Assert.Equal(["once", "next"], [(await kim.NextAsync<SRoomChatNtf>()).Text, (await kim.NextAsync<SRoomChatNtf>()).Text]);
    }

    [Fact]
    public async Task Under_Stored_a_message_is_heard_that_is_written_together_with_a_change_of_an_older_one()
    {
        await using TestServer server = await StartAsync("Stored");
        await using TestClient kim = await server.LoginAsync("kim");
        long roomId = (await kim.CreateAsync("lobby")).RoomId;
        _store.AppendWaitsFor = Task.CompletedTask;
        long old = (await kim.SayAsync(roomId, "old")).Sequence;
        _store.AppendWaitsFor = _back.Task;

        kim.Send(ChatPackets.CRoomChatReq, new CRoomChatReq { RoomId = roomId, Text = "being written" }, requestId: 101);
        await Eventually.TrueAsync(() => server.Log.Metrics.Queued == 1);
        kim.Send(ChatPackets.CRoomChatReq, new CRoomChatReq { RoomId = roomId, Text = "new" }, requestId: 102);
        await kim.EditAsync(roomId, old, "changed");
        _back.SetResult();

        Assert.Equal(2, Assert.IsType<SRoomChatRes>(await kim.NextAnswerAsync(101)).Sequence);
        Assert.Equal(3, Assert.IsType<SRoomChatRes>(await kim.NextAnswerAsync(102)).Sequence);
    }

    [Fact]
    public async Task Under_Stored_a_sender_is_told_when_the_store_stays_away_and_the_message_comes_when_it_is_back()
    {
        _time.Advance(TimeSpan.FromHours(1)); // no request waits since the time 0
        await using TestServer server = await StartAsync("Stored", "--ChatLog:FullTimeout=00:00:10");
        await using TestClient kim = await server.LoginAsync("kim");
        await using TestClient lee = await server.LoginAsync("lee");
        long roomId = (await kim.CreateAsync("lobby")).RoomId;

        var message = new CRoomChatReq { RoomId = roomId, Text = "late", ClientMessageId = 5 };
        Task<SErrorNtf> waiting = kim.FailAsync(ChatPackets.CRoomChatReq, message);
        await Eventually.TrueAsync(() => server.Log.Metrics.Queued == 1);
        _time.Advance(TimeSpan.FromSeconds(9));
        Assert.False(server.Get<StoredDelivery>().IsStuck); // known at once, while the answer takes its time
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.True(server.Get<StoredDelivery>().IsStuck);
        SErrorNtf waited = await waiting;
        SErrorNtf atOnce = await kim.FailAsync(ChatPackets.CRoomChatReq, new CRoomChatReq { RoomId = roomId, Text = "not even tried" });
        SJoinRoomRes joined = await lee.JoinAsync(roomId); // a join needs no store
        _back.SetResult();

        Assert.Equal(0, joined.LatestSequence);
        Assert.All([waited, atOnce], static error => Assert.Equal(ErrorCode.StorageUnavailable, error.Code));
        Assert.Equal("late", (await kim.NextAsync<SRoomChatNtf>()).Text);
        SRoomChatRes repeated = await kim.AskAsync<CRoomChatReq, SRoomChatRes>(ChatPackets.CRoomChatReq, message);
        Assert.Equal((1L, true), (repeated.Sequence, repeated.Duplicate));
        Assert.Equal("late", (await lee.NextAsync<SRoomChatNtf>()).Text);
    }

    [Fact]
    public async Task Under_Stored_a_member_lost_while_messages_wait_leaves_behind_them()
    {
        await using TestServer server = await StartAsync("Stored", "--PlayChat:Sessions:ResumeWindow=00:00:00");
        await using TestClient kim = await server.LoginAsync("kim");
        await using TestClient lee = await server.LoginAsync("lee");
        long roomId = (await kim.CreateAsync("lobby")).RoomId;
        await lee.JoinAsync(roomId);

        lee.Send(ChatPackets.CRoomChatReq, new CRoomChatReq { RoomId = roomId, Text = "my last words" });
        await Eventually.TrueAsync(() => server.Log.Metrics.Queued == 1);
        lee.Connection.Abort();
        await lee.Closed;
        _back.SetResult();

        Assert.Equal("my last words", (await kim.NextAsync<SRoomChatNtf>()).Text);
        SRoomChatNtf left = await kim.NextAsync<SRoomChatNtf>();
        Assert.Equal("lee", left.Left.Name);
    }

    [Fact]
    public async Task Under_Stored_a_message_that_the_store_refuses_is_failed_and_not_heard_and_the_others_come_without_a_hole()
    {
        _store.RefusedText = "refused";
        await using TestServer server = await StartAsync("Stored");
        await using TestClient kim = await server.LoginAsync("kim");
        await using TestClient lee = await server.LoginAsync("lee");
        await using TestClient ann = await server.LoginAsync("ann");
        long roomId = (await kim.CreateAsync("lobby")).RoomId;
        await lee.JoinAsync(roomId);
        await kim.NextAsync<SJoinRoomNtf>();
        var refused = new CRoomChatReq { RoomId = roomId, Text = "refused", ClientMessageId = 7 };

        kim.Send(ChatPackets.CRoomChatReq, new CRoomChatReq { RoomId = roomId, Text = "before" }, requestId: 101);
        kim.Send(ChatPackets.CRoomChatReq, refused, requestId: 102);
        kim.Send(ChatPackets.CRoomChatReq, refused, requestId: 103);
        kim.Send(ChatPackets.CRoomChatReq, new CRoomChatReq { RoomId = roomId, Text = "after" }, requestId: 104);
        await kim.AskAsync<CEchoReq, SEchoRes>(ChatPackets.CEchoReq, new CEchoReq());
        _back.SetResult();

        Assert.Equal(2, Assert.IsType<SRoomChatRes>(await kim.NextAnswerAsync(101)).Sequence);
        Assert.Equal(ErrorCode.StorageUnavailable, Assert.IsType<SErrorNtf>(await kim.NextAnswerAsync(102)).Code);
        Assert.Equal(ErrorCode.StorageUnavailable, Assert.IsType<SErrorNtf>(await kim.NextAnswerAsync(103)).Code);
        Assert.Equal(4, Assert.IsType<SRoomChatRes>(await kim.NextAnswerAsync(104)).Sequence);
        SRoomChatNtf before = await lee.NextAsync<SRoomChatNtf>();
        SRoomChatNtf after = await lee.NextAsync<SRoomChatNtf>();
        Assert.Equal(("before", 2L, "after", 4L, 2L), (before.Text, before.Sequence, after.Text, after.Sequence, after.PreviousSequence));

        // Said again it is a new message, and refused once more. A join behind it has no hole before it either.
        SErrorNtf again = await kim.FailAsync(ChatPackets.CRoomChatReq, refused);
        await ann.JoinAsync(roomId);
        SJoinRoomNtf join = await lee.NextAsync<SJoinRoomNtf>();
        Assert.Equal((ErrorCode.StorageUnavailable, 4L, 6L), (again.Code, join.PreviousSequence, join.Sequence));
        IReadOnlyList<ChatRecord> stored = await server.Store.ReadChatAfterAsync(roomId, 0, 10);
        Assert.Equal(("before", "after"), (Assert.Single(stored, static record => record.Sequence == 2).Text, stored[^1].Text));
        Assert.Equal(2, stored.Count);
    }

    [Fact]
    public async Task Under_Async_chat_goes_on_without_the_store_and_the_file_brings_everything_there_once_and_in_order()
    {
        const int Messages = 100;
        await using TestServer server =
            await StartAsync("Async", "--ChatLog:QueueRecords=8", "--ChatLog:BatchRecords=4", TestServer.Fleeting);
        await using TestClient kim = await server.LoginAsync("kim");
        long roomId = (await kim.CreateAsync("lobby")).RoomId;

        for (int i = 1; i <= Messages; i++)
        {
            Assert.Equal(i, (await kim.SayAsync(roomId, $"message {i}")).Sequence);
            // The file needs its time, as it would have between real messages.
            await Eventually.TrueAsync(() => server.Log.Metrics.Queued < 8);
        }

        Assert.InRange(server.Log.Metrics.InSpill, 50, Messages);
        _back.SetResult();
        await server.StopAsync();

        Assert.Equal(0, server.Log.Metrics.NotStored);
        Assert.Equal(0, server.Log.Metrics.InSpill);
        IChatStore store = server.Store;
        IReadOnlyList<ChatRecord> stored = await store.ReadChatAfterAsync(roomId, 0, 1000);
        Assert.Equal(Enumerable.Range(1, Messages + 1).Select(static i => (long)i), stored.Select(static record => record.Sequence));
    }

    [Fact]
    public async Task A_room_that_was_open_at_a_stop_comes_back_with_its_name_and_goes_on_where_it_was()
    {
        using var folder = new TemporaryDirectory();
        long roomId;
        long removedId;
        await using (TestServer first = await TestServer.StartInAsync(folder.Path, null, TestServer.Fleeting))
        {
            await using TestClient kim = await first.LoginAsync("kim");
            await using TestClient lee = await first.LoginAsync("lee");
            removedId = (await kim.CreateAsync("short-lived")).RoomId;
            await kim.LeaveAsync(removedId);
            roomId = (await kim.CreateAsync("here to stay")).RoomId;
            await kim.SayAsync(roomId, "one");
            Assert.Equal(2, (await lee.JoinAsync(roomId)).LatestSequence);
            await first.StopAsync();
        }

        await using TestServer again = await TestServer.StartInAsync(folder.Path, null, TestServer.Fleeting);
        await using TestClient back = await again.LoginAsync("kim");
        SJoinRoomRes joined = await back.JoinAsync(roomId);
        SErrorNtf gone = await back.FailAsync(ChatPackets.CJoinRoomReq, new CJoinRoomReq { RoomId = removedId });
        long next = (await back.SayAsync(roomId, "two")).Sequence;

        // One message, a join, and two who were seen leaving when the server stopped: the new join is the next.
        Assert.Equal("here to stay", joined.Name);
        Assert.Equal(joined.LatestSequence + 1, next);
        Assert.InRange(joined.LatestSequence, 3, 5);
        Assert.Equal(ErrorCode.RoomNotFound, gone.Code);
        IReadOnlyList<ChatRecord> stored = await again.Store.ReadChatAfterAsync(roomId, 0, 10);
        Assert.Equal(joined.LatestSequence - 1, Math.Max(2, stored[^1].Sequence));
    }

    [Fact]
    public async Task All_players_that_join_at_once_after_a_restart_find_the_rooms_that_were_open()
    {
        const int Rooms = 20;
        const int Players = 10;
        using var folder = new TemporaryDirectory();
        long[] rooms = new long[Rooms];
        await using (TestServer first = await TestServer.StartInAsync(folder.Path, null))
        {
            await using TestClient kim = await first.LoginAsync("kim");
            for (int i = 0; i < Rooms; i++)
            {
                rooms[i] = (await kim.CreateAsync($"room {i}")).RoomId;
            }

            await first.StopAsync();
        }

        await using TestServer again = await TestServer.StartInAsync(folder.Path, null);
        TestClient[] players = await Task.WhenAll(Enumerable.Range(0, Players).Select(i => again.LoginAsync($"player {i}")));
        // All of them ask for the same room before the first one has woken it.
        foreach (long room in rooms)
        {
            SJoinRoomRes[] joined = await Task.WhenAll(players.Select(player => player.JoinAsync(room)));

            Assert.All(joined, answer => Assert.Equal(room, answer.RoomId));
        }

        await Task.WhenAll(players.Select(static player => player.DisposeAsync().AsTask()));
    }

    private Task<TestServer> StartAsync(string durability, params string[] settings)
    {
        _store.AppendWaitsFor = _back.Task;
        return TestServer.StartInAsync(
            null,
            services =>
            {
                services.AddSingleton<TimeProvider>(_time);
                _store.Wrap(services);
            },
            [$"--ChatLog:Durability={durability}", .. settings]);
    }
}
