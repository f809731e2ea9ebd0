using Microsoft.Extensions.Logging;

namespace PlayChat.Storage.ChatLog;

/// <summary>Takes chat records from the rooms through one bounded queue, and writes them in batches to every sink. Thread-safe.</summary>
/// <remarks>
/// <para>Records reach each sink in the order in which the writer accepted them. The writer retries a sink that fails, with growing
/// delays, until the sink works; other sinks neither stop nor write twice because of that. It gives up no record for the first sink, the
/// database, before it is stopped, except for one that the database refuses for good (<see cref="ChatLogMetrics.Rejected"/>).
/// For another sink that keeps failing while half of the queue is taken, it gives up the oldest records
/// (<see cref="ChatLogMetrics.GivenUp"/>, and an error in the log), so that they do not hold up the first sink.</para>
/// <para>The writer runs from its construction on. It does not dispose the sinks.</para>
/// </remarks>
public sealed class ChatLogWriter : IAsyncDisposable
{
    // How long a sink may take to return after its write was cancelled.
    private static readonly TimeSpan s_abortGrace = TimeSpan.FromSeconds(5);

    private readonly ChatLogOptions _options;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private readonly ChatLogQueue _queue;
    private readonly ChatLogSinkPump[] _pumps; // of the sinks beside each other, then of those that come after
    private readonly int _beside;
    private readonly Task _running;
    private readonly CancellationTokenSource _stopping = new();
    private readonly CancellationTokenSource _aborted = new();
    private readonly object _stopGate = new();
    private Task<ChatLogStopReport>? _stop;
    private int _refusing;

    /// <summary>Creates the writer and starts it.</summary>
    /// <param name="sinks">The sinks that get every batch, the database first; at least one.</param>
    /// <param name="options">Read once; later changes have no effect.</param>
    /// <param name="logger">Gets one line when a sink begins to fail or does not answer, and one when it works again.</param>
    /// <param name="timeProvider">The clock of intervals and retries; null is the system's.</param>
    /// <param name="spill">
    /// Takes the records of the first sink, the database, while that is away and the queue is nearly full; not disposed. With null, the
    /// queue's policy decides about those records.
    /// </param>
    /// <param name="stored">
    /// Called with the records of each successful write to the first sink, in order, on that sink's loop. It must return at once and not
    /// throw.
    /// </param>
    /// <param name="refused">
    /// Called like <paramref name="stored"/>, and before it, with the records of a write that the first sink refuses for good.
    /// </param>
    /// <param name="after">
    /// Sinks that get a batch when the first sink or its spill file has it; of a writer that stops without time, also what neither has.
    /// </param>
    /// <exception cref="StorageException">An option is out of range.</exception>
    /// <exception cref="ArgumentException">There is no sink, or two have the same name.</exception>
    public ChatLogWriter(
        IReadOnlyList<IChatLogSink> sinks,
        ChatLogOptions options,
        ILogger<ChatLogWriter> logger,
        TimeProvider? timeProvider = null,
        ChatLogSpill? spill = null,
        Action<IReadOnlyList<ChatRecord>>? stored = null,
        Action<IReadOnlyList<ChatRecord>>? refused = null,
        IReadOnlyList<IChatLogSink>? after = null)
    {
        ArgumentNullException.ThrowIfNull(sinks);
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(logger);
        IChatLogSink[] all = [.. sinks, .. after ?? []];
        if (sinks.Count == 0 || all.Select(static sink => sink.Name).Distinct(StringComparer.Ordinal).Count() != all.Length)
        {
            throw new ArgumentException("The chat log needs at least one sink, each with a name of its own.", nameof(sinks));
        }
        options.Validate();
        _options = options.Copy();
        if (spill is not null)
        {
            // The queue has space for several batches, so the next one fills while one is on its way to the file.
            _options.BatchRecords = Math.Min(_options.BatchRecords, Math.Max(1, _options.QueueRecords / 4));
        }
        _logger = logger;
        _time = timeProvider ?? TimeProvider.System;
        _queue = new ChatLogQueue(_options, _time);
        Metrics = new ChatLogMetrics(_queue, spill);
        var context = new ChatLogPumpContext(_options, _queue, Metrics, _time, logger, FinishBatch, _stopping.Token, _aborted.Token);
        _beside = sinks.Count;
        _pumps = all
            .Select((sink, i) => i == 0
                ? new ChatLogSinkPump(sink, context, isFirst: true, spill, NoteInDatabase, PostAfter)
                : new ChatLogSinkPump(sink, context, isFirst: false))
            .ToArray();
        void PostAfter(ChatLogBatch batch) => Array.ForEach(_pumps![_beside..], pump => pump.Post(batch));
        void NoteInDatabase(IReadOnlyList<ChatRecord> rejected, IReadOnlyList<ChatRecord> written, int added)
        {
            Metrics.RecordInDatabase(added);
            if (rejected.Count > 0)
            {
                refused?.Invoke(rejected);
            }

            if (written.Count > 0)
            {
                stored?.Invoke(written);
            }
        }

        _running = Task.WhenAll(
            [Task.Run(CollectAsync), Task.Run(RunFirstAsync), .. _pumps.Skip(1).Select(static pump => Task.Run(pump.RunAsync))]);
    }

    /// <summary>The figures of this writer.</summary>
    public ChatLogMetrics Metrics { get; }

    /// <summary>Queues a record without waiting.</summary>
    /// <returns>
    /// <see langword="false"/> when the queue is full or the writer stopped. Under <see cref="ChatLogFullPolicy.Count"/> the writer then
    /// counts the record as not stored. Under <see cref="ChatLogFullPolicy.Wait"/> it counts nothing, and the caller continues with
    /// <see cref="AppendAsync"/>.
    /// </returns>
    public bool TryAppend(in ChatRecord record)
    {
        ThrowIfIncomplete(in record);
        if (_queue.TryAdd(in record))
        {
            return true;
        }
        if (_options.FullPolicy == ChatLogFullPolicy.Count)
        {
            Refuse();
        }
        return false;
    }

    /// <summary>
    /// Queues a record. Under <see cref="ChatLogFullPolicy.Wait"/> it waits for space, in the order of the calls. Completes
    /// synchronously when there is space.
    /// </summary>
    /// <param name="record">The record.</param>
    /// <param name="cancellationToken">Ends the wait; the record is then neither queued nor counted.</param>
    /// <returns>
    /// <see langword="false"/> when the writer did not queue the record and counts it as not stored: the writer stopped or, under
    /// <see cref="ChatLogFullPolicy.Count"/>, the queue is full.
    /// </returns>
    public ValueTask<bool> AppendAsync(ChatRecord record, CancellationToken cancellationToken = default)
    {
        ThrowIfIncomplete(in record);
        if (_options.FullPolicy == ChatLogFullPolicy.Count)
        {
            return cancellationToken.IsCancellationRequested
                ? ValueTask.FromCanceled<bool>(cancellationToken)
                : ValueTask.FromResult(TryAppend(in record));
        }
        ValueTask<bool> added = _queue.AddAsync(in record, cancellationToken);
        return added.IsCompletedSuccessfully && added.Result ? ValueTask.FromResult(true) : CountIfRefusedAsync(added);
    }

    /// <summary>Refuses new records, stores those that were accepted or wait for space, and ends.</summary>
    /// <remarks>Safe to call again: every call gets the same report.</remarks>
    /// <param name="cancellationToken">
    /// Gives up at once the records that are not stored yet, as <see cref="ChatLogOptions.StopTimeout"/> does later. Only the token of the
    /// first call counts.
    /// </param>
    /// <returns>How many records were not stored in time.</returns>
    public Task<ChatLogStopReport> StopAsync(CancellationToken cancellationToken = default)
    {
        lock (_stopGate)
        {
            return _stop ??= StopCoreAsync(cancellationToken);
        }
    }

    /// <summary>Stops as <see cref="StopAsync"/> does.</summary>
    public async ValueTask DisposeAsync() => await StopAsync().ConfigureAwait(false);

    private static void ThrowIfIncomplete(in ChatRecord record)
    {
        // A sink would fail with it, and the writer would retry it without end.
        ArgumentNullException.ThrowIfNull(record.Text, nameof(record));
        ArgumentNullException.ThrowIfNull(record.PlayerName, nameof(record));
    }

    private async ValueTask<bool> CountIfRefusedAsync(ValueTask<bool> added)
    {
        if (await added.ConfigureAwait(false))
        {
            return true;
        }
        Metrics.RecordRefused();
        return false;
    }

    private async Task CollectAsync()
    {
        using ITimer timer = _time.CreateTimer(
            static state => ((ChatLogQueue)state!).Wake(), _queue, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        try
        {
            while (await _queue.WaitToReadAsync().ConfigureAwait(false))
            {
                await _queue.WaitForBatchAsync(timer).ConfigureAwait(false);
                if (_queue.TakeBatch(_pumps.Length) is { } batch)
                {
                    Array.ForEach(_pumps[.._beside], pump => pump.Post(batch));
                }
            }
        }
        finally
        {
            Array.ForEach(_pumps[.._beside], static pump => pump.Complete());
        }
    }

    private async Task RunFirstAsync()
    {
        await _pumps[0].RunAsync().ConfigureAwait(false);
        Array.ForEach(_pumps[_beside..], static pump => pump.Complete());
    }

    private void FinishBatch(ChatLogBatch batch, bool stored)
    {
        if (!batch.Finish(stored))
        {
            return;
        }
        if (batch.IsStored)
        {
            Metrics.RecordStored(batch.Records.Count - batch.Rejected);
        }
        else if (!_aborted.IsCancellationRequested)
        {
            Metrics.RecordGivenUp(batch.Records.Count - batch.Rejected);
        }
        _queue.Release(batch);
        if (Interlocked.Exchange(ref _refusing, 0) != 0)
        {
            StorageLog.QueueHasSpace(_logger, Metrics.NotStored);
        }
    }

    private void Refuse()
    {
        Metrics.RecordRefused();
        // One line until the queue has space again, not one a record.
        if (!_stopping.IsCancellationRequested && Interlocked.Exchange(ref _refusing, 1) == 0)
        {
            StorageLog.QueueFull(_logger);
        }
    }

    private async Task<ChatLogStopReport> StopCoreAsync(CancellationToken cancellationToken)
    {
        _queue.Close();
        await _stopping.CancelAsync().ConfigureAwait(false);
        await WaitForEndAsync(_options.StopTimeout, cancellationToken).ConfigureAwait(false);
        if (!_running.IsCompleted)
        {
            await _aborted.CancelAsync().ConfigureAwait(false);
            await WaitForEndAsync(s_abortGrace, CancellationToken.None).ConfigureAwait(false);
        }
        if (_running.IsCompleted)
        {
            // Surfaces a fault of the collecting loop.
            await _running.ConfigureAwait(false);
        }
        return Report();
    }

    private async Task WaitForEndAsync(TimeSpan timeout, CancellationToken cancellationToken) =>
        await _running.WaitAsync(timeout, _time, cancellationToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);

    private ChatLogStopReport Report()
    {
        long notStored = Metrics.Accepted - Metrics.Stored + Metrics.RejectedFromSpill;
        Metrics.RecordAbandoned(notStored - Metrics.GivenUp - Metrics.Rejected);
        var bySink = _pumps.ToDictionary(static pump => pump.Name, static pump => pump.NotSafe, StringComparer.Ordinal);
        foreach ((string sink, long missing) in bySink.Where(static pair => pair.Value > 0))
        {
            StorageLog.StoppedIncomplete(_logger, sink, missing);
        }
        return new ChatLogStopReport(notStored, bySink);
    }
}
