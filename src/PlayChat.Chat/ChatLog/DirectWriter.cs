using System.Collections.Concurrent;
using System.Threading.Channels;

namespace PlayChat.Chat.ChatLog;

/// <summary>Brings direct messages and their read marks to the store, many at a time. Thread-safe.</summary>
/// <remarks>A message is answered when it is stored, whatever <see cref="Durability"/> says: so it has its number. The messages that come
/// while the store works are its next transaction. Read marks are written together, every <see cref="s_pause"/>.</remarks>
internal sealed class DirectWriter : IAsyncDisposable
{
    private const int MaxBatch = 100;
    private const int MaxWaiting = 10_000;
    private const int MaxMarks = 100_000;

    private static readonly TimeSpan s_pause = TimeSpan.FromSeconds(5);

    private readonly IChatStore _store;
    private readonly ILogger _logger;
    private readonly ITimer _timer;
    private readonly Channel<(DirectMessage Message, TaskCompletionSource<DirectOutcome> Stored)> _waiting =
        Channel.CreateBounded<(DirectMessage, TaskCompletionSource<DirectOutcome>)>(
            new BoundedChannelOptions(MaxWaiting) { SingleReader = true });
    private readonly ConcurrentDictionary<(long PlayerId, long PartnerId), long> _marks = new();
    private readonly Task _writing;

    public DirectWriter(IChatStore store, TimeProvider time, ILogger<DirectWriter> logger)
    {
        _store = store;
        _logger = logger;
        _writing = Task.Run(WriteAsync);
        _timer = time.CreateTimer(_ => _ = FlushAsync(), state: null, s_pause, s_pause);
    }

    /// <summary>Stores a message. The task says what becomes of it, or faults with a <see cref="StorageException"/>.</summary>
    /// <returns><see langword="false"/> when too many wait already.</returns>
    public bool TryStore(DirectMessage message, out Task<DirectOutcome> stored)
    {
        var done = new TaskCompletionSource<DirectOutcome>(TaskCreationOptions.RunContinuationsAsynchronously);
        stored = done.Task;
        return _waiting.Writer.TryWrite((message, done));
    }

    /// <summary>Notes that a player has read a conversation up to a message. Left out while too many marks wait.</summary>
    public void NoteRead(long playerId, long partnerId, long number)
    {
        if (_marks.Count < MaxMarks)
        {
            _marks.AddOrUpdate((playerId, partnerId), number, (_, earlier) => Math.Max(earlier, number));
        }
    }

    /// <summary>A conversation with the mark that the store does not have yet.</summary>
    public DirectConversation NewestOf(long playerId, DirectConversation stored) => stored with
    {
        ReadNumber = Math.Clamp(_marks.GetValueOrDefault((playerId, stored.PartnerId)), stored.ReadNumber, stored.Last.Number),
    };

    /// <summary>Stores what waits; further messages are refused.</summary>
    public async Task StopAsync(CancellationToken cancellationToken)
    {
        _waiting.Writer.TryComplete();
        await Task.WhenAll(_writing, FlushAsync()).WaitAsync(cancellationToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
    }

    public ValueTask DisposeAsync()
    {
        _waiting.Writer.TryComplete();
        return _timer.DisposeAsync();
    }

    private async Task WriteAsync()
    {
        List<(DirectMessage Message, TaskCompletionSource<DirectOutcome> Stored)> batch = [];
        while (await _waiting.Reader.WaitToReadAsync())
        {
            batch.Clear();
            while (batch.Count < MaxBatch && _waiting.Reader.TryRead(out (DirectMessage, TaskCompletionSource<DirectOutcome>) next))
            {
                batch.Add(next);
            }

            try
            {
                IReadOnlyList<DirectOutcome> outcomes = await _store.Direct.AppendAsync(batch.ConvertAll(static one => one.Message));
                for (int i = 0; i < batch.Count; i++)
                {
                    batch[i].Stored.SetResult(outcomes[i]);
                }
            }
            catch (Exception e)
            {
                batch.ForEach(one => one.Stored.TrySetException(e)); // of any kind: each sender is told, and the next batch may succeed
            }
        }
    }

    /// <summary>Stores the read marks that wait.</summary>
    public async Task FlushAsync()
    {
        DirectRead[] marks = [.. _marks.Select(static mark => new DirectRead(mark.Key.PlayerId, mark.Key.PartnerId, mark.Value))];
        try
        {
            foreach (DirectRead[] some in marks.Chunk(MaxBatch))
            {
                await _store.Direct.SaveReadAsync(some);
                foreach ((long playerId, long partnerId, long number) in some)
                {
                    _marks.TryRemove(KeyValuePair.Create((playerId, partnerId), number)); // unless a later mark waits
                }
            }
        }
        catch (Exception e)
        {
            ServerLog.MarksNotSaved(_logger, e.Message); // of any kind; they are written with the next ones
        }
    }
}
