namespace PlayChat.Persistence;

/// <summary>Writes rooms to a store, one after the other. Of a room that waits, only the newest state is written.</summary>
/// <remarks>Invariant: a room stays in <c>_waiting</c> until the store has it, and is in <c>_order</c> once except while it is written;
/// <c>_isWriting</c> is true while a task looks after them. Thread-safe.</remarks>
internal sealed class RoomWriter(IRoomStore store, TimeProvider time, ILogger logger) : IAsyncDisposable
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan s_pause = TimeSpan.FromSeconds(1);

    private readonly object _gate = new();
    private readonly Dictionary<string, byte[]?> _waiting = new(StringComparer.Ordinal); // null: to be removed
    private readonly Queue<string> _order = new(); // a room that the store refuses goes to the end, so the others do not wait for it
    private readonly CancellationTokenSource _stopping = new(); // not disposed: it has no timer, and a write may still look at it
    private Task _writing = Task.CompletedTask;
    private bool _isWriting;

    public async ValueTask DisposeAsync() => await CompleteAsync(new CancellationToken(canceled: true)).ConfigureAwait(false);

    internal void Save(string name, byte[] data) => Write(name, data);

    internal void Remove(string name) => Write(name, null);

    /// <summary>Completes when the store has everything, or the token is cancelled; writes nothing more afterwards.</summary>
    internal async Task CompleteAsync(CancellationToken cancellationToken)
    {
        using (cancellationToken.Register(_stopping.Cancel))
        {
            await Writing.ConfigureAwait(false);
        }

        _stopping.Cancel();
        await Writing.ConfigureAwait(false); // that of a room which came between the two
        if (_waiting.Count > 0)
        {
            PersistenceLog.LeftUnsaved(logger, _waiting.Count, _waiting.Keys.First());
        }
    }

    private Task Writing
    {
        get
        {
            lock (_gate)
            {
                return _writing;
            }
        }
    }

    private void Write(string name, byte[]? data)
    {
        lock (_gate)
        {
            if (!_waiting.ContainsKey(name))
            {
                _order.Enqueue(name);
            }

            _waiting[name] = data;
            if (!_isWriting && !_stopping.IsCancellationRequested)
            {
                _isWriting = true;
                _writing = Task.Run(WriteAsync);
            }
        }
    }

    private async Task WriteAsync()
    {
        while (Next() is { } next)
        {
            Task write = Task.CompletedTask;
            try
            {
                using var patience = new CancellationTokenSource(s_patience, time);
                using var either = CancellationTokenSource.CreateLinkedTokenSource(patience.Token, _stopping.Token);
                write = next.Data is { } data
                    ? store.SaveAsync(new SavedRoom(next.Name, data), either.Token)
                    : store.RemoveAsync(next.Name, either.Token);
                await write.WaitAsync(either.Token).ConfigureAwait(false);
                OnTried(next.Name, next.Data, isWritten: true);
            }
            catch (Exception e)
            {
                // The application's store, or its disk. The room waits, with the newest state that it has then.
                PersistenceLog.NotSaved(logger, e, next.Name);
                OnTried(next.Name, next.Data, isWritten: false);
                await Task.Delay(s_pause, time, _stopping.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
                // A write that was given up may still end: its folder is the next server's when this one has stopped.
                await write.WaitAsync(s_pause, time).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            }
        }
    }

    private (string Name, byte[]? Data)? Next()
    {
        lock (_gate)
        {
            _isWriting = _waiting.Count > 0 && !_stopping.IsCancellationRequested;
            if (!_isWriting)
            {
                return null;
            }

            string name = _order.Dequeue();
            return (name, _waiting[name]);
        }
    }

    private void OnTried(string name, byte[]? data, bool isWritten)
    {
        lock (_gate)
        {
            if (isWritten && _waiting[name] == data)
            {
                _waiting.Remove(name);
            }
            else
            {
                _order.Enqueue(name);
            }
        }
    }
}
