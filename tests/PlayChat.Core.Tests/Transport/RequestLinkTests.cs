using System.Collections.Concurrent;
using System.Globalization;
using PlayChat.Core.Connections;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Dispatch;
using PlayChat.TestUtilities;
using static PlayChat.Core.Tests.Dispatch.RequestPackets;

namespace PlayChat.Core.Tests.Transport;

/// <summary>Requests between two connections, over every kind of link.</summary>
public sealed class RequestLinkTests : IAsyncDisposable
{
    private static readonly TimeSpan s_long = TestTimeouts.Hang;

    private readonly List<RequestPeer> _peers = [];

    public static TheoryData<string> Links =>
        new("memory", "pipes", "sockets", "linux", "memory+tls", "pipes+tls", "sockets+tls", "linux+tls");

    public async ValueTask DisposeAsync()
    {
        foreach (RequestPeer peer in _peers)
        {
            await peer.DisposeAsync();
        }
    }

    [Theory]
    [MemberData(nameof(Links))]
    public async Task Both_ends_ask_each_other_at_once(string link)
    {
        (RequestPeer one, RequestPeer other) = await ConnectAsync(link);

        await Task.WhenAll(Enumerable.Range(0, 200).Select(i => AskAsync(i % 2 == 0 ? one : other, $"{i}")));
    }

    [Theory]
    [MemberData(nameof(Links))]
    public async Task A_handler_that_asks_its_own_sender_fails_and_what_comes_meanwhile_follows_in_order(string link)
    {
        (RequestPeer one, RequestPeer other) = await ConnectAsync(link);
        var notes = new ConcurrentQueue<string>();
        other.OnNote = async (context, note) =>
        {
            if (note.Word.EndsWith('0'))
            {
                await Task.Yield(); // some handlers wait
            }
            else if (note.Word.EndsWith('5'))
            {
                await Assert.ThrowsAsync<InvalidOperationException>(() => AskAsync(other, note.Word));
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
        var notes = new ConcurrentQueue<int>();
        int late = 0;
        var asked = new ConcurrentQueue<Task>();
        var held = new ConcurrentQueue<PacketContext>();
        one.OnAsk = (context, ask) =>
        {
            if (ask.Word == "too late")
            {
                held.Enqueue(context);
            }
            else
            {
                context.Reply(new Told(ask.Word));
            }

            return default;
        };
        other.OnNote = (context, note) =>
        {
            int number = int.Parse(note.Word, CultureInfo.InvariantCulture);
            notes.Enqueue(number);
            asked.Enqueue(Offload.Run(number, AskBackAsync).AsTask());
            return default;
        };

        await Task.WhenAll(Task.Run(SendNotesAsync), Task.Run(() => AskOnAsync(one)), Task.Run(() => AskOnAsync(other)));
        await Task.WhenAll(asked).WaitAsync(TestTimeouts.Hang);

        Assert.Equal(Enumerable.Range(0, 1_000), notes);
        Assert.Equal(250, late);
        foreach (PacketContext context in held)
        {
            context.Reply(new Told("too late"));
        }

        await AskAsync(other, "behind the late answers");
        Assert.Equal(250, other.Metrics.Read(Counter.AnswersDropped));
        Assert.Equal(0, one.Metrics.Read(Counter.HandlerFaults) + other.Metrics.Read(Counter.HandlerFaults));

        async Task AskBackAsync(int number)
        {
            switch (number % 4)
            {
                case 0:
                    await AskAsync(other, new string('x', number % 3_000 + 1));
                    break;
                case 1:
                    await Task.WhenAll(AskAsync(other, $"{number}"), AskAsync(other, $"{number}b"), AskAsync(other, $"{number}c"));
                    break;
                case 2:
                    await Assert.ThrowsAsync<TimeoutException>(() =>
                        other.Connection.RequestAsync<Told>(new Ask("too late"), TimeSpan.Zero).AsTask());
                    Interlocked.Increment(ref late);
                    break;
                default:
                    break;
            }
        }

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
    public async Task A_link_that_ends_fails_the_requests_of_both_sides(string link)
    {
        (RequestPeer one, RequestPeer other) = await ConnectAsync(link);
        one.OnAsk = other.OnAsk = static (_, _) => default; // never answers

        Task asking = AskAsync(one, "anybody there?");
        Task askingBack = AskAsync(other, "anybody there?");
        one.Connection.Abort();

        Assert.Equal(CloseReason.LocalClose, (await Assert.ThrowsAsync<ConnectionClosedException>(() => asking)).Reason);
        CloseReason reason = (await Assert.ThrowsAsync<ConnectionClosedException>(() => askingBack.WaitAsync(TestTimeouts.Hang))).Reason;
        Assert.Equal(reason, await other.Connection.Closed.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(0, other.Metrics.Read(Counter.HandlerFaults));
    }

    [Fact]
    public async Task Handlers_that_ask_each_other_fail_at_once_and_nothing_is_lost()
    {
        (RequestPeer one, RequestPeer other) = await ConnectAsync("memory");
        var failed = new SemaphoreSlim(0);
        Func<PacketContext, Note, ValueTask> askBack = async (context, _) =>
        {
            await Assert.ThrowsAsync<InvalidOperationException>(
                () => context.Connection.RequestAsync<Told>(new Ask("a circle"), Timeout.InfiniteTimeSpan).AsTask());
            failed.Release();
        };
        (one.OnNote, other.OnNote) = (askBack, askBack);

        one.Connection.SendPacket(new Note("ask me"));
        other.Connection.SendPacket(new Note("ask me"));
        Assert.True(await failed.WaitAsync(TestTimeouts.Hang) && await failed.WaitAsync(TestTimeouts.Hang));

        await Task.WhenAll(AskAsync(one, "after it"), AskAsync(other, "after it"));
    }

    private async Task<(RequestPeer One, RequestPeer Other)> ConnectAsync(string link)
    {
        (RequestPeer one, RequestPeer other) = await RequestPeer.ConnectAsync(link);
        _peers.AddRange([one, other]);
        one.Connection.Start();
        other.Connection.Start();
        return (one, other);
    }

    private static async Task AskAsync(RequestPeer peer, string word) =>
        Assert.Equal(word, (await peer.Connection.RequestAsync<Told>(new Ask(word), s_long)).Word);
}
