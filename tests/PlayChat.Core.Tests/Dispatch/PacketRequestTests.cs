using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Hosting;
using PlayChat.Core.Rooms;
using PlayChat.TestUtilities;
using static PlayChat.Core.Tests.Dispatch.RequestPackets;

namespace PlayChat.Core.Tests.Dispatch;

public sealed class PacketRequestTests
{
    private static readonly TimeSpan s_long = TimeSpan.FromSeconds(30);

    [Fact]
    public async Task A_handler_asks_its_client_whose_end_is_no_fault_of_it()
    {
        int faults = 0;
        Told? told = null;
        await using RoomHarness<Room> harness = await StartAsync(router =>
        {
            router.OnFault = (_, _) => faults++;
            router.MapPacket<Note>(async (context, note, _) =>
            {
                told = await context.Connection.RequestAsync<Told>(new Ask(note.Word), s_long, CancellationToken.None);
                await context.Connection.RequestAsync<Told>(new Ask("and now?"), s_long, CancellationToken.None);
            });
        });
        HarnessClient client = await harness.ConnectAsync();
        client.OnReceived = frame =>
        {
            if (frame.Message is Ask { Word: "and now?" })
            {
                client.Break();
                return;
            }

            client.Send(new Told("hello yourself"), frame.Header.RequestId);
        };

        client.Send(new Note("hello"));
        await harness.IdleAsync();

        Assert.Equal([new Ask("hello"), new Ask("and now?")], client.Received<Ask>());
        Assert.Equal(new Told("hello yourself"), told);
        Assert.Equal(0, harness.Server.Sessions.Count);
        Assert.Equal((0, 0), (faults, harness.Figures().HandlerFaults));
    }

    [Fact]
    public async Task What_comes_while_a_handler_asks_twice_at_once_follows_in_order()
    {
        List<string> notes = [];
        await using RoomHarness<Room> harness = await StartAsync(router => router.MapPacket<Note>(async (context, note, _) =>
        {
            if (note.Word.EndsWith('0'))
            {
                Task<Told> first = context.Connection.RequestAsync<Told>(new Ask(note.Word), s_long, CancellationToken.None).AsTask();
                Task<Told> second = context.Connection.RequestAsync<Told>(new Ask(note.Word + "again"), s_long, CancellationToken.None).AsTask();
                Assert.Equal([new Told(note.Word), new Told(note.Word + "again")], await Task.WhenAll(first, second));
            }

            notes.Add(note.Word);
        }));
        HarnessClient client = await harness.ConnectAsync();
        client.OnReceived = frame => client.Send(new Told(((Ask)frame.Message!).Word), frame.Header.RequestId);

        for (int i = 0; i < 300; i++)
        {
            client.Send(new Note($"{i}"));
        }

        await harness.IdleAsync();

        Assert.Equal(Enumerable.Range(0, 300).Select(static i => $"{i}"), notes, StringComparer.Ordinal);
        Assert.Equal(60, client.Frames.Count);
    }

    [Fact]
    public async Task A_failure_that_the_peer_sends_fails_the_request_and_so_does_an_answer_that_cannot_be_read()
    {
        await using RoomHarness<Room> harness = await StartAsync(static router => router.MapPacket<Ask>(static (context, ask) =>
            _ = ask.Word == "refuse" ? context.Reply(new Refusal("no")) : context.Reply(new Told(""))));
        HarnessClient client = await harness.ConnectAsync();

        RequestFailedException refused = await Assert.ThrowsAsync<RequestFailedException>(() => client.RequestAsync<Told>(new Ask("refuse")));
        RequestFailedException malformed = await Assert.ThrowsAsync<RequestFailedException>(() => client.RequestAsync<Told>(new Ask("malformed")));

        Assert.Equal(new Refusal("no"), refused.Answer);
        Assert.Null(malformed.Answer);
        Assert.True(client.Connection.IsOpen);
    }

    [Fact]
    public async Task A_request_ends_with_its_timeout_and_its_late_answer_is_dropped()
    {
        PacketContext? held = null;
        await using RoomHarness<Room> harness = await StartAsync(router => router.MapPacket<Ask>((context, _) =>
        {
            if (held is not null)
            {
                context.Reply(new Told("in time"));
            }

            held ??= context;
        }));
        HarnessClient client = await harness.ConnectAsync();

        Task<Told> asking = client.Connection.RequestAsync<Told>(new Ask("?"), TimeSpan.FromSeconds(5)).AsTask();
        await harness.AdvanceAsync(TimeSpan.FromSeconds(4.9));
        Assert.False(asking.IsCompleted);
        await harness.AdvanceAsync(TimeSpan.FromSeconds(0.1));

        TimeoutException e = await Assert.ThrowsAsync<TimeoutException>(() => asking.WaitAsync(TestTimeouts.Hang));
        Assert.Equal("Ask was not answered within 5 seconds.", e.Message);
        held!.Value.Reply(new Told("too late"));
        Assert.Equal(new Told("in time"), await client.RequestAsync<Told>(new Ask("?")));
        Assert.Empty(client.Frames);
    }

    [Fact]
    public async Task More_requests_than_MaxRequests_are_refused_until_one_is_answered()
    {
        await using RoomHarness<Room> harness = await StartAsync(static _ => { }, static server => server.Options.Connections.MaxRequests = 1);
        HarnessClient client = await harness.ConnectAsync();
        Connection connection = client.Session.Connection;
        Task<Told> waiting = connection.RequestAsync<Told>(new Ask("1"), s_long).AsTask();
        await harness.IdleAsync();

        await Assert.ThrowsAsync<TooManyRequestsException>(() => connection.RequestAsync<Told>(new Ask("2"), s_long).AsTask());
        client.Send(new Told("one"), Assert.Single(client.Frames).Header.RequestId);
        Assert.Equal(new Told("one"), await waiting.WaitAsync(TestTimeouts.Hang));

        client.OnReceived = frame => client.Send(new Told("three"), frame.Header.RequestId);
        Assert.Equal(new Told("three"), await connection.RequestAsync<Told>(new Ask("3"), s_long).AsTask().WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task A_request_that_cannot_be_made_says_why()
    {
        await using RoomHarness<Room> harness = await StartAsync(static router => router.MapPacket<Ask>(static (context, ask) => context.Reply(new Told(ask.Word))));
        HarnessClient client = await harness.ConnectAsync();
        Connection connection = client.Connection;

        Assert.Throws<ArgumentNullException>(() => { _ = connection.RequestAsync<Told>(null!, s_long); });
        Assert.Throws<ArgumentOutOfRangeException>(() => { _ = connection.RequestAsync<Told>(new Ask("?"), TimeSpan.FromSeconds(-2)); });
        Assert.Throws<ArgumentOutOfRangeException>(() => { _ = connection.RequestAsync<Told>(new Ask("?"), TimeSpan.FromDays(50)); });
        Assert.Throws<InvalidOperationException>(() => { _ = connection.RequestAsync<string>(new Ask("?"), s_long); });
        Assert.Throws<InvalidOperationException>(() => { _ = connection.RequestAsync<Told>("?", s_long); });
        await Assert.ThrowsAsync<ArgumentException>(() => client.RequestAsync<Told>(new Ask(new string('x', 100_000))));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => connection.RequestAsync<Told>(new Ask("?"), s_long, new CancellationToken(canceled: true)).AsTask());
        connection.Close(CloseReason.TakenOver);
        Assert.Equal(CloseReason.TakenOver, (await Assert.ThrowsAsync<ConnectionClosedException>(() => client.RequestAsync<Told>(new Ask("?")))).Reason);
    }

    private static Task<RoomHarness<Room>> StartAsync(Action<PacketRouter> map, Action<PlayChatServer>? configure = null) =>
        RoomHarness.StartAsync(RequestPackets.Create(), map, configure);
}
