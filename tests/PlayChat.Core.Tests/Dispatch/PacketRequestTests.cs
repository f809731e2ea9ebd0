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

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_handler_that_asks_its_own_client_fails_at_once_and_says_what_to_do(bool filtered)
    {
        Exception? fault = null;
        await using RoomHarness<Room> harness = await StartAsync(router =>
        {
            router.OnFault = (_, e) => fault = e;
            PacketRouteBuilder route = router.MapPacket<Note>(async (context, note, _) =>
            {
                await context.Connection.RequestAsync<Told>(new Ask(note.Word), Timeout.InfiniteTimeSpan, CancellationToken.None);
            });
            if (filtered)
            {
                route.AddFilter(new RecordingFilter("", []));
            }
        });
        HarnessClient client = await harness.ConnectAsync();

        client.SendPacket(new Note("hello"));
        await Eventually.TrueAsync(() => fault is not null);

        Assert.IsType<InvalidOperationException>(fault);
        Assert.Contains("Return from the handler", fault!.Message, StringComparison.Ordinal);
        Assert.Empty(client.Frames);
    }

    [Fact]
    public async Task A_handler_that_asks_its_own_client_after_an_await_is_told_the_reason_with_its_timeout()
    {
        var (fault, work) = (new TaskCompletionSource<Exception>(), new TaskCompletionSource());
        await using RoomHarness<Room> harness = await StartAsync(router =>
        {
            router.OnFault = (_, e) => fault.SetResult(e);
            router.MapPacket<Note>(async (context, note, _) =>
            {
                await work.Task.ConfigureAwait(false);
                await context.Connection.RequestAsync<Told>(new Ask(note.Word), TimeSpan.FromSeconds(5), CancellationToken.None);
            });
        });
        HarnessClient client = await harness.ConnectAsync();
        client.OnReceived = frame => client.SendPacket(new Told("never received"), frame.Header.RequestId);

        client.SendPacket(new Note("hello"));
        await Eventually.TrueAsync(() => client.Session.Connection.IsHandlerWaiting);
        work.SetResult();
        await Eventually.TrueAsync(() => client.Frames.Count == 1);
        await Eventually.TrueAsync(() =>
        {
            harness.Time.Advance(TimeSpan.FromSeconds(5)); // the first time perhaps before the request waits
            return fault.Task.IsCompleted;
        });

        TimeoutException e = Assert.IsType<TimeoutException>(await fault.Task);
        Assert.Contains("a handler must not await a request to its own peer", e.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task What_a_handler_starts_by_Offload_asks_its_client(bool client)
    {
        var told = new TaskCompletionSource<Told>();
        await using RoomHarness<Room> harness = await StartAsync(router => router.MapPacket<Note>((context, note) =>
        {
            _ = Offload.Run((context, note), async asked =>
            {
                try
                {
                    told.SetResult(await asked.context.Connection.RequestAsync<Told>(new Ask(asked.note.Word), s_long));
                }
                catch (Exception e)
                {
                    told.SetException(e);
                }
            });
        }));
        HarnessClient peer = await harness.ConnectAsync();
        peer.OnReceived = frame =>
        {
            if (client)
            {
                peer.SendPacket(new Told("hello yourself"), frame.Header.RequestId);
            }
            else
            {
                peer.Break();
            }
        };

        peer.SendPacket(new Note("hello"));

        if (client)
        {
            Assert.Equal(new Told("hello yourself"), await told.Task.WaitAsync(TestTimeouts.Hang));
        }
        else
        {
            await Assert.ThrowsAsync<ConnectionClosedException>(() => told.Task.WaitAsync(TestTimeouts.Hang));
        }
    }

    [Fact]
    public async Task A_handler_asks_another_client_and_what_its_own_sends_meanwhile_follows_in_order()
    {
        List<string> notes = [];
        HarnessClient? other = null;
        await using RoomHarness<Room> harness = await StartAsync(router => router.MapPacket<Note>(async (context, note, _) =>
        {
            if (note.Word.EndsWith('0'))
            {
                Connection asked = other!.Session.Connection;
                Task<Told> first = asked.RequestAsync<Told>(new Ask(note.Word), s_long, CancellationToken.None).AsTask();
                Task<Told> second = asked.RequestAsync<Told>(new Ask(note.Word + "again"), s_long, CancellationToken.None).AsTask();
                Assert.Equal([new Told(note.Word), new Told(note.Word + "again")], await Task.WhenAll(first, second));
            }

            notes.Add(note.Word);
        }));
        HarnessClient client = await harness.ConnectAsync();
        other = await harness.ConnectAsync();
        other.OnReceived = frame => other.SendPacket(new Told(((Ask)frame.Message!).Word), frame.Header.RequestId);

        for (int i = 0; i < 300; i++)
        {
            client.SendPacket(new Note($"{i}"));
        }

        await harness.IdleAsync();

        Assert.Equal(Enumerable.Range(0, 300).Select(static i => $"{i}"), notes, StringComparer.Ordinal);
        Assert.Equal(60, other.Frames.Count);
    }

    [Fact]
    public async Task A_handler_that_lets_the_end_of_its_connection_pass_has_no_fault()
    {
        int faults = 0;
        Task<Told>? asking = null;
        var begun = new TaskCompletionSource();
        await using RoomHarness<Room> harness = await StartAsync(router =>
        {
            router.OnFault = (_, _) => faults++;
            router.MapPacket<Note>(async (_, _, _) =>
            {
                begun.SetResult();
                await asking!;
            });
        });
        HarnessClient client = await harness.ConnectAsync();
        Connection connection = client.Session.Connection;
        asking = connection.RequestAsync<Told>(new Ask("and now?"), s_long).AsTask();

        client.SendPacket(new Note("wait for it"));
        await begun.Task.WaitAsync(TestTimeouts.Hang);
        connection.Abort();
        await connection.Closed.WaitAsync(TestTimeouts.Hang);

        await Assert.ThrowsAsync<ConnectionClosedException>(() => asking);
        Assert.Equal((0, 0), (faults, harness.Figures().HandlerFaults));
    }

    [Fact]
    public async Task A_failure_that_the_peer_sends_fails_the_request_and_so_does_an_answer_that_cannot_be_read()
    {
        await using RoomHarness<Room> harness = await StartAsync(static router => router.MapPacket<Ask>(static (context, ask) =>
            _ = ask.Word == "refuse" ? context.Reply(new Refusal("no")) : context.Reply(new Told(""))));
        HarnessClient client = await harness.ConnectAsync();

        RequestFailedException refused = await Assert.ThrowsAsync<RequestFailedException>(
            () => client.RequestAsync<Told>(new Ask("refuse")));
        RequestFailedException malformed = await Assert.ThrowsAsync<RequestFailedException>(
            () => client.RequestAsync<Told>(new Ask("malformed")));

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
        await using RoomHarness<Room> harness = await StartAsync(
            static _ => { }, static server => server.Options.Connections.MaxRequests = 1);
        HarnessClient client = await harness.ConnectAsync();
        Connection connection = client.Session.Connection;
        Task<Told> waiting = connection.RequestAsync<Told>(new Ask("1"), s_long).AsTask();
        await harness.IdleAsync();

        await Assert.ThrowsAsync<TooManyRequestsException>(() => connection.RequestAsync<Told>(new Ask("2"), s_long).AsTask());
        client.SendPacket(new Told("one"), Assert.Single(client.Frames).Header.RequestId);
        Assert.Equal(new Told("one"), await waiting.WaitAsync(TestTimeouts.Hang));

        client.OnReceived = frame => client.SendPacket(new Told("three"), frame.Header.RequestId);
        Assert.Equal(new Told("three"), await connection.RequestAsync<Told>(new Ask("3"), s_long).AsTask().WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task A_request_that_cannot_be_made_says_why()
    {
        await using RoomHarness<Room> harness = await StartAsync(
            static router => router.MapPacket<Ask>(static (context, ask) => context.Reply(new Told(ask.Word))));
        HarnessClient client = await harness.ConnectAsync();
        Connection connection = client.Connection;

        Assert.Throws<ArgumentNullException>(() => { _ = connection.RequestAsync<Told>(null!, s_long); });
        Assert.Throws<ArgumentOutOfRangeException>(() => { _ = connection.RequestAsync<Told>(new Ask("?"), TimeSpan.FromSeconds(-2)); });
        Assert.Throws<ArgumentOutOfRangeException>(() => { _ = connection.RequestAsync<Told>(new Ask("?"), TimeSpan.FromDays(50)); });
        Assert.Throws<InvalidOperationException>(() => { _ = connection.RequestAsync<string>(new Ask("?"), s_long); });
        Assert.Throws<InvalidOperationException>(() => { _ = connection.RequestAsync<Told>("?", s_long); });
        await Assert.ThrowsAsync<ArgumentException>(() => client.RequestAsync<Told>(new Ask(new string('x', 100_000))));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => connection.RequestAsync<Told>(new Ask("?"), s_long, new CancellationToken(canceled: true)).AsTask());
        connection.Close(CloseReason.TakenOver);
        ConnectionClosedException closed = await Assert.ThrowsAsync<ConnectionClosedException>(
            () => client.RequestAsync<Told>(new Ask("?")));
        Assert.Equal(CloseReason.TakenOver, closed.Reason);
    }

    private static Task<RoomHarness<Room>> StartAsync(Action<PacketRouter> map, Action<PlayChatServer>? configure = null) =>
        RoomHarness.StartAsync(RequestPackets.Create(), map, configure);
}
