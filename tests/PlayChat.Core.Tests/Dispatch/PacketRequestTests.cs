using System.Collections.Concurrent;
using System.Globalization;
using PlayChat.Core.Connections;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Framing;
using PlayChat.Core.Tests.Hosting;
using PlayChat.Core.Transport;
using PlayChat.TestUtilities;
using static PlayChat.Core.Tests.Dispatch.RequestPackets;

namespace PlayChat.Core.Tests.Dispatch;

public sealed class PacketRequestTests
{
    private static readonly TimeSpan s_long = TestTimeouts.Hang;

    public static TheoryData<string> Links => new("memory", "sockets", "linux", "memory+tls", "sockets+tls", "linux+tls");

    [Theory]
    [MemberData(nameof(Links))]
    public async Task Both_ends_ask_each_other_at_once(string link)
    {
        (RequestPeer one, RequestPeer other) = await ConnectAsync(link);
        await using RequestPeer first = one;
        await using RequestPeer second = other;

        await Task.WhenAll(Enumerable.Range(0, 200).Select(i => AskAsync(i % 2 == 0 ? one : other, $"{i}")));
    }

    [Theory]
    [MemberData(nameof(Links))]
    public async Task A_handler_asks_its_own_sender_twice_at_once_and_what_comes_meanwhile_follows_in_order(string link)
    {
        (RequestPeer one, RequestPeer other) = await ConnectAsync(link);
        await using RequestPeer first = one;
        await using RequestPeer second = other;
        var notes = new ConcurrentQueue<string>();
        other.OnNote = async (context, note) =>
        {
            if (note.Word.EndsWith('0'))
            {
                await Task.WhenAll(AskAsync(other, note.Word), AskAsync(other, note.Word + "again"));
            }

            notes.Enqueue(note.Word);
        };

        for (int i = 0; i < 1_000; i++)
        {
            one.Connection.SendPacket(new Note($"{i}"));
        }

        await AskAsync(one, "are they done?"); // behind them
        Assert.Equal(Enumerable.Range(0, 1_000).Select(static i => $"{i}"), notes, StringComparer.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Links))]
    public async Task Thousands_of_mixed_requests_all_get_their_own_answer(string link)
    {
        (RequestPeer one, RequestPeer other) = await ConnectAsync(link);
        await using RequestPeer first = one;
        await using RequestPeer second = other;
        var notes = new ConcurrentQueue<int>();
        int late = 0;
        other.OnNote = async (context, note) =>
        {
            int number = int.Parse(note.Word, CultureInfo.InvariantCulture);
            switch (number % 4)
            {
                case 0:
                    await AskAsync(other, new string('x', number % 3_000 + 1));
                    break;
                case 1:
                    await Task.WhenAll(AskAsync(other, $"{number}"), AskAsync(other, $"{number}b"), AskAsync(other, $"{number}c"));
                    break;
                case 2:
                    await Assert.ThrowsAsync<TimeoutException>(() => other.Connection.RequestAsync<Told>(new Ask("too late"), TimeSpan.Zero).AsTask());
                    Interlocked.Increment(ref late);
                    break;
                default:
                    break;
            }

            notes.Enqueue(number);
        };

        await Task.WhenAll(Task.Run(SendNotesAsync), Task.Run(() => AskOnAsync(one)), Task.Run(() => AskOnAsync(other)));

        Assert.Equal(Enumerable.Range(0, 1_000), notes);
        Assert.Equal(250, late);
        Assert.Equal(0, one.Metrics.Read(Counter.HandlerFaults) + other.Metrics.Read(Counter.HandlerFaults));

        async Task SendNotesAsync()
        {
            for (int i = 0; i < 1_000; i++)
            {
                one.Connection.SendPacket(new Note($"{i}"));
                if (i % 50 == 0)
                {
                    await AskAsync(one, "an interval");
                }
            }

            await AskAsync(one, "the end");
        }

        static async Task AskOnAsync(RequestPeer peer)
        {
            for (int i = 0; i < 1_000; i++)
            {
                await AskAsync(peer, $"{i} from outside");
            }
        }
    }

    [Theory]
    [MemberData(nameof(Links))]
    public async Task A_link_that_ends_fails_the_request_of_a_handler_on_both_sides(string link)
    {
        (RequestPeer one, RequestPeer other) = await ConnectAsync(link);
        await using RequestPeer first = one;
        await using RequestPeer second = other;
        one.OnAsk = other.OnAsk = static (_, _) => default; // never answers
        var failed = new TaskCompletionSource<ConnectionClosedException>();
        other.OnNote = async (_, _) =>
        {
            Task asking = AskAsync(other, "anybody there?");
            one.Connection.Abort();
            failed.SetResult(await Assert.ThrowsAsync<ConnectionClosedException>(() => asking));
            throw await failed.Task;
        };

        Task asking = AskAsync(one, "anybody there?");
        one.Connection.SendPacket(new Note("ask me"));

        Assert.Equal(CloseReason.LocalClose, (await Assert.ThrowsAsync<ConnectionClosedException>(() => asking)).Reason);
        Assert.Equal((await failed.Task.WaitAsync(TestTimeouts.Hang)).Reason, await other.Connection.Closed.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(0, other.Metrics.Read(Counter.HandlerFaults));
    }

    [Fact]
    public async Task A_routed_handler_of_a_server_asks_its_client_whose_end_is_no_fault_of_it()
    {
        int faults = 0;
        var told = new TaskCompletionSource<Told>();
        await using ServerHarness harness = await new ServerHarness().StartAsync(server => server
            .UseFraming(FrameFormat.Packet())
            .UsePackets(RequestPackets.Create())
            .OnPackets(router =>
            {
                router.OnFault = (_, _) => faults++;
                router.MapPacket<Note>(async (context, note, _) =>
                {
                    told.SetResult(await context.Connection.RequestAsync<Told>(new Ask(note.Word), s_long, CancellationToken.None));
                    await context.Connection.RequestAsync<Told>(new Ask("and now?"), s_long, CancellationToken.None);
                });
            }));
        await using var client = new RequestPeer(await harness.ConnectAsync());
        client.OnAsk = static (context, ask) =>
        {
            if (ask.Word == "and now?")
            {
                context.Connection.Abort();
            }

            context.Reply(new Told(ask.Word + "!"));
            return default;
        };
        client.Connection.Start();

        client.Connection.SendPacket(new Note("hello"));

        Assert.Equal(new Told("hello!"), await told.Task.WaitAsync(TestTimeouts.Hang));
        await Eventually.TrueAsync(() => harness.Server.Sessions.Count == 0);
        Assert.Equal(0, faults);
        Assert.Equal(0, harness.Server.Metrics.Read(Counter.HandlerFaults));
    }

    [Fact]
    public async Task Handlers_that_wait_for_each_other_end_with_the_timeout_and_nothing_is_lost()
    {
        (RequestPeer one, RequestPeer other) = await ConnectAsync("memory");
        await using RequestPeer first = one;
        await using RequestPeer second = other;
        var time = new CancellationTokenSource();
        var asked = new SemaphoreSlim(0);
        Func<PacketContext, Note, ValueTask> askBack = async (context, _) =>
        {
            Task<Told> asking = context.Connection.RequestAsync<Told>(new Ask("a circle"), Timeout.InfiniteTimeSpan, time.Token).AsTask();
            asked.Release();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => asking);
        };
        (one.OnNote, other.OnNote) = (askBack, askBack);

        one.Connection.SendPacket(new Note("ask me"));
        other.Connection.SendPacket(new Note("ask me"));
        Assert.True(await asked.WaitAsync(TestTimeouts.Hang) && await asked.WaitAsync(TestTimeouts.Hang));
        await time.CancelAsync();

        await Task.WhenAll(AskAsync(one, "after it"), AskAsync(other, "after it"));
    }

    [Fact]
    public async Task A_failure_that_the_peer_sends_fails_the_request_and_so_does_an_answer_that_cannot_be_read()
    {
        (RequestPeer one, RequestPeer other) = await ConnectAsync("memory");
        await using RequestPeer first = one;
        await using RequestPeer second = other;
        other.OnAsk = static (context, ask) =>
        {
            _ = ask.Word == "refuse" ? context.Reply(new Refusal("no")) : context.Reply(new Told(""));
            return default;
        };

        RequestFailedException refused = await Assert.ThrowsAsync<RequestFailedException>(() => AskAsync(one, "refuse"));
        RequestFailedException malformed = await Assert.ThrowsAsync<RequestFailedException>(() => AskAsync(one, "malformed"));

        Assert.Equal(new Refusal("no"), refused.Answer);
        Assert.Null(malformed.Answer);
        Assert.True(one.Connection.IsOpen);
    }

    [Fact]
    public async Task A_request_ends_with_its_timeout_and_its_late_answer_is_dropped()
    {
        var time = new ManualTimeProvider();
        (TransportConnection client, TransportConnection server) = new InMemoryTransport { LinkBytes = 64 * 1024 }.CreateLink();
        await using var one = new RequestPeer(client, time);
        await using var other = new RequestPeer(server);
        var held = new TaskCompletionSource<PacketContext>();
        other.OnAsk = (context, _) =>
        {
            if (!held.TrySetResult(context))
            {
                context.Reply(new Told("in time"));
            }

            return default;
        };
        one.Connection.Start();
        other.Connection.Start();

        Task<Told> asking = one.Connection.RequestAsync<Told>(new Ask("?"), TimeSpan.FromSeconds(5)).AsTask();
        PacketContext context = await held.Task.WaitAsync(TestTimeouts.Hang);
        time.Advance(TimeSpan.FromSeconds(4.9));
        Assert.False(asking.IsCompleted);
        time.Advance(TimeSpan.FromSeconds(0.1));

        TimeoutException e = await Assert.ThrowsAsync<TimeoutException>(() => asking.WaitAsync(TestTimeouts.Hang));
        Assert.Equal("Ask was not answered within 5 seconds.", e.Message);
        context.Reply(new Told("too late"));
        Assert.Equal(new Told("in time"), await one.Connection.RequestAsync<Told>(new Ask("?"), s_long));
    }

    [Fact]
    public async Task More_requests_than_MaxRequests_are_refused_until_one_is_answered()
    {
        (TransportConnection client, TransportConnection server) = new InMemoryTransport { LinkBytes = 64 * 1024 }.CreateLink();
        await using var one = new RequestPeer(client, configure: static options => options.MaxRequests = 1);
        await using var other = new RequestPeer(server);
        one.Connection.Start();
        Task waiting = AskAsync(one, "1");

        await Assert.ThrowsAsync<TooManyRequestsException>(() => AskAsync(one, "2"));
        other.Connection.Start();
        await waiting;

        await AskAsync(one, "3");
    }

    [Fact]
    public async Task A_request_that_cannot_be_made_says_why()
    {
        (TransportConnection client, TransportConnection server) = new InMemoryTransport { LinkBytes = 64 * 1024 }.CreateLink();
        await using var one = new RequestPeer(client);
        await using var other = new RequestPeer(server);
        Connection connection = one.Connection;
        connection.Start();
        other.Connection.Start();

        Assert.Throws<ArgumentNullException>(() => { _ = connection.RequestAsync<Told>(null!, s_long); });
        Assert.Throws<ArgumentOutOfRangeException>(() => { _ = connection.RequestAsync<Told>(new Ask("?"), TimeSpan.FromSeconds(-2)); });
        Assert.Throws<ArgumentOutOfRangeException>(() => { _ = connection.RequestAsync<Told>(new Ask("?"), TimeSpan.FromDays(50)); });
        Assert.Throws<InvalidOperationException>(() => { _ = connection.RequestAsync<string>(new Ask("?"), s_long); });
        Assert.Throws<InvalidOperationException>(() => { _ = connection.RequestAsync<Told>("?", s_long); });
        await Assert.ThrowsAsync<ArgumentException>(() => AskAsync(one, new string('x', 100_000)));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => connection.RequestAsync<Told>(new Ask("?"), s_long, new CancellationToken(canceled: true)).AsTask());
        connection.Close(CloseReason.TakenOver);
        Assert.Equal(CloseReason.TakenOver, (await Assert.ThrowsAsync<ConnectionClosedException>(() => AskAsync(one, "?"))).Reason);
    }

    private static async Task<(RequestPeer One, RequestPeer Other)> ConnectAsync(string link)
    {
        (RequestPeer one, RequestPeer other) = await RequestPeer.ConnectAsync(link);
        one.Connection.Start();
        other.Connection.Start();
        return (one, other);
    }

    private static async Task AskAsync(RequestPeer peer, string word) =>
        Assert.Equal(word, (await peer.Connection.RequestAsync<Told>(new Ask(word), s_long)).Word);
}
