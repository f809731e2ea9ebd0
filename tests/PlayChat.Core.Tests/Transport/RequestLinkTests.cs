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

    public static TheoryData<string> Links => new("memory", "sockets", "linux", "memory+tls", "sockets+tls", "linux+tls");

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
    public async Task A_handler_asks_its_own_sender_twice_at_once_and_what_comes_meanwhile_follows_in_order(string link)
    {
        (RequestPeer one, RequestPeer other) = await ConnectAsync(link);
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
    public async Task Handlers_that_wait_for_each_other_end_with_the_timeout_and_nothing_is_lost()
    {
        (RequestPeer one, RequestPeer other) = await ConnectAsync("memory");
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
