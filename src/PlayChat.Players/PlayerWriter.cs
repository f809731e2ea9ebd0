using PlayChat.Cluster;

namespace PlayChat.Players;

/// <summary>Writes for rooms, which never wait: saves that a newer one of the same document replaces, and transactions. Keeps the order of
/// each player's writes. Thread-safe.</summary>
/// <remarks>
/// <para>The order is kept within one writer, so share one among the rooms of a process. It does one thing at a time: a transaction of
/// players that have no saves in the writer may as well go to the store directly.</para>
/// <para>What a crash of the process may lose. <see cref="TrySave"/>: what was saved in the last
/// <see cref="PlayerWriterOptions.SaveInterval"/>, or since the store is away. <see cref="FlushAsync"/>: nothing that was saved before the
/// call, once it has returned true. <see cref="ExecuteAsync"/>: nothing once it has returned; before, the transaction has happened wholly
/// or not at all. Dispose the writer after the server and before the store.</para>
/// </remarks>
public sealed class PlayerWriter : IAsyncDisposable
{
    internal static readonly TimeSpan RetryInterval = TimeSpan.FromSeconds(1); // after the store has failed
    private static readonly TimeSpan s_stopTimeout = TimeSpan.FromSeconds(10);

    private readonly IPlayerStore _store;
    private readonly PlayerWriterOptions _options;
    private readonly WriterQueue _queue;
    private readonly WakeUp _wake = new();
    private readonly CancellationTokenSource _stop = new();
    private readonly Task _loop;
    private bool _isFailing; // of the loop

    /// <summary>Creates a writer and starts its loop.</summary>
    /// <param name="store">Initialized; outlives the writer.</param>
    /// <param name="options">Not to be changed afterwards. Default: all defaults.</param>
    /// <exception cref="StorageException">An option is out of range.</exception>
    public PlayerWriter(IPlayerStore store, PlayerWriterOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(store);
        _store = store;
        _options = options ?? new PlayerWriterOptions();
        _options.Validate();
        _queue = new WriterQueue(_options);
        _loop = Task.Run(RunAsync);
    }

    /// <summary>Bytes that wait now: see <see cref="PlayerWriterOptions.MaxPendingBytes"/>.</summary>
    public long PendingBytes => _queue.PendingBytes;

    /// <summary>Saves a document within <see cref="PlayerWriterOptions.SaveInterval"/>. Does not wait. If the same document is saved again
    /// meanwhile, only the newest is written. The documents of a player are written in one transaction, by 100.</summary>
    /// <param name="write">Without a condition.</param>
    /// <returns>False if the writer is full, because the store is away or slow, or is stopping. What was accepted before is kept.</returns>
    /// <exception cref="ArgumentException">The write has a condition, or its content is too large for the store.</exception>
    public bool TrySave(PlayerWrite write)
    {
        ArgumentNullException.ThrowIfNull(write);
        if (write.IfVersion is not null || write.Value.Length > _store.MaxValueBytes)
        {
            throw new ArgumentException(
                $"A save has no condition and at most {_store.MaxValueBytes} bytes; {write.Key} has {write.Value.Length}.", nameof(write));
        }

        if (_queue.TrySave(write, out bool isNewlyFull))
        {
            _wake.Set();
            return true;
        }

        PlayerMeter.RecordRefused();
        if (isNewlyFull)
        {
            PlayerLog.WriterFull(_options.Logger, PendingBytes);
        }

        return false;
    }

    /// <summary>Runs a transaction (<see cref="IPlayerStore.ExecuteAsync"/>) behind all earlier saves and transactions of its players,
    /// and before all later ones. It is tried once.</summary>
    /// <param name="writes">Not kept after the call.</param>
    /// <param name="key">With it you can repeat the call after an exception.</param>
    /// <exception cref="StorageException">The store failed, or failed to write the saves before, which are kept;
    /// <see cref="StorageErrorKind.Busy"/>: the writer is full or stops.</exception>
    public Task<TransactionResult> ExecuteAsync(IReadOnlyList<PlayerWrite> writes, TransactionKey? key = null)
    {
        ArgumentNullException.ThrowIfNull(writes);
        var result = new TaskCompletionSource<TransactionResult>(TaskCreationOptions.RunContinuationsAsynchronously);
        if (!_queue.TryEnqueue(new WriterQueue.Job { Writes = [.. writes], Key = key, Result = result }))
        {
            result.SetException(new StorageException(
                StorageErrorKind.Busy, $"The writer of players is full ({PendingBytes} bytes wait) or stops: try again later."));
        }

        _wake.Set();
        return result.Task;
    }

    /// <summary>Writes all saves so far now, and waits until the store has them; while it is away, until it is back. Call it when a player
    /// leaves or a room ends; there is no need to await it, unless the player's documents are read next.</summary>
    /// <param name="player">Whose saves. Default: all players'.</param>
    /// <param name="cancellationToken">Stops waiting; the saves stay in the writer.</param>
    /// <returns>False if the writer stopped before.</returns>
    public async Task<bool> FlushAsync(string? player = null, CancellationToken cancellationToken = default)
    {
        while (_queue.EnqueueFlush(player) is { } job)
        {
            _wake.Set();
            if (await job.Done.Task.WaitAsync(cancellationToken).ConfigureAwait(false))
            {
                return true;
            }

            await Task.Delay(RetryInterval, _options.Time, cancellationToken).ConfigureAwait(false);
        }

        return false;
    }

    /// <summary>Accepts nothing more, and writes all that waits, within 10 seconds. What could not be written then is lost, and logged as
    /// an error. If that may take longer, await <see cref="FlushAsync"/> before. Safe to call again.</summary>
    public async ValueTask DisposeAsync()
    {
        if (!_queue.TryStop())
        {
            await _loop.ConfigureAwait(false);
            return;
        }

        using var deadline = new CancellationTokenSource(s_stopTimeout, _options.Time);
        try
        {
            await FlushAsync(player: null, deadline.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // The time is over; what is left is logged below.
        }

        await _stop.CancelAsync().ConfigureAwait(false);
        _wake.Set();
        await _loop.ConfigureAwait(false);
        _stop.Dispose();
        int left = _queue.End(out IReadOnlyList<WriterQueue.Job> jobs);
        foreach (WriterQueue.Job job in jobs)
        {
            job.Result?.TrySetException(new StorageException(StorageErrorKind.Busy, "The writer of players has stopped."));
            job.Done.TrySetResult(false);
        }

        if (left > 0)
        {
            PlayerLog.StoppedIncomplete(_options.Logger, left);
        }
    }

    private async Task RunAsync()
    {
        using ITimer timer = _options.Time.CreateTimer(
            static wake => ((WakeUp)wake!).Set(), _wake, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        while (!_stop.IsCancellationRequested)
        {
            if (_queue.TakeNext(out TimeSpan wait) is not { } job)
            {
                timer.Change(wait, Timeout.InfiniteTimeSpan);
                await _wake.WaitAsync(CancellationToken.None).ConfigureAwait(false);
                continue;
            }

            Exception? failure = await WriteAsync(job).ConfigureAwait(false);
            if (job.Result is { } result)
            {
                await TransactAsync(job, result, failure).ConfigureAwait(false);
            }

            job.Done.TrySetResult(failure is null);
        }
    }

    /// <summary>Writes the saves of a job, or keeps them for the next try.</summary>
    private async Task<Exception?> WriteAsync(WriterQueue.Job job)
    {
        try
        {
            foreach (PlayerWrite[] batch in BatchesOf(job))
            {
                await _store.ExecuteAsync(batch, key: null, _stop.Token).ConfigureAwait(false);
                _queue.Complete(job, batch);
                if (_isFailing)
                {
                    _isFailing = false;
                    PlayerLog.SaveRecovered(_options.Logger);
                }
            }

            return null;
        }
        catch (Exception exception) // whatever it is, the saves must not be lost: the next try may succeed
        {
            int waiting = _queue.Return(job);
            if (!_isFailing)
            {
                _isFailing = true;
                PlayerLog.SaveFailed(_options.Logger, waiting, exception.Message, exception);
            }

            return exception;
        }
    }

    private async Task TransactAsync(WriterQueue.Job job, TaskCompletionSource<TransactionResult> result, Exception? failure)
    {
        try
        {
            result.SetResult(failure is null ? await _store.ExecuteAsync(job.Writes, job.Key).ConfigureAwait(false) : throw failure);
        }
        catch (Exception exception) // it is the caller's
        {
            result.SetException(exception);
        }

        _queue.Complete(job, job.Writes);
    }

    /// <summary>As many documents in one transaction as there may be; those of one player together.</summary>
    private static IEnumerable<PlayerWrite[]> BatchesOf(WriterQueue.Job job)
    {
        PlayerWrite[][] parts = [.. job.Sets.Values.SelectMany(static set => set.Values.Chunk(IPlayerStore.MaxWrites))];
        for (int i = 0; i < parts.Length;)
        {
            List<PlayerWrite> batch = [];
            do
            {
                batch.AddRange(parts[i++]);
            }
            while (i < parts.Length && batch.Count + parts[i].Length <= IPlayerStore.MaxWrites);
            yield return [.. batch];
        }
    }
}
