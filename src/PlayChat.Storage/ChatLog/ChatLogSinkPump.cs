using System.Threading.Channels;

namespace PlayChat.Storage.ChatLog;

/// <summary>Feeds one sink in order, and repeats each batch until the sink has written it.</summary>
/// <remarks>
/// <para>Only a record that the sink refuses for good is left out: see <see cref="SiftedWrite"/>.</para>
/// <para>Sinks wait for each other only through the queue's space, which a batch keeps until all sinks have it.</para>
/// <para>With a spill file, the sink can be away for longer than the queue has space: while the queue is nearly full, the pump moves the
/// waiting batches to the file. The file is older than every batch in memory, so the pump writes it first when the sink works again.</para>
/// <para>A sink other than the first, the database, gives up its oldest batches when it keeps failing and the queue is half full. That is
/// before the first sink begins to spill, so batches that only other sinks lack keep no record out of the database.</para>
/// </remarks>
/// <param name="sink">The sink.</param>
/// <param name="context">What all pumps of the writer share.</param>
/// <param name="isFirst">Whether the sink is the first one, which never gives up.</param>
/// <param name="spill">The sink's spill file. Without one, the queue refuses the records that it has no space for.</param>
/// <param name="stored">Called after each write that has succeeded: with the records that the sink refuses for good, the others, and the
/// number of them that it did not have before.</param>
/// <param name="left">Called with each batch that the sink no longer needs, in order.</param>
internal sealed class ChatLogSinkPump(
    IChatLogSink sink,
    ChatLogPumpContext context,
    bool isFirst,
    ChatLogSpill? spill = null,
    Action<IReadOnlyList<ChatRecord>, IReadOnlyList<ChatRecord>, int>? stored = null,
    Action<ChatLogBatch>? left = null)
{
    // Bounded by the queue: a batch gives its space back only when every sink has it.
    private readonly Channel<ChatLogBatch> _batches =
        Channel.CreateUnbounded<ChatLogBatch>(new() { SingleReader = true, SingleWriter = true });
    private readonly SinkFailures _failures = new(sink.Name, context, isFirst);

    // Invariant: _current holds the batches that are being written and are neither in the spill file nor given up. They are older than
    // those in _batches. While _isSpilling, the spill file holds batches that are older than both.
    private List<ChatLogBatch> _current = [];
    private bool _isSpilling;
    private Task<bool>? _waiting; // for a batch: the channel allows one such wait at a time
    private long _posted;
    private long _safe;

    public string Name => sink.Name;

    /// <summary>Records that are neither written nor in the spill file.</summary>
    public long NotSafe => Interlocked.Read(ref _posted) - Interlocked.Read(ref _safe);

    public void Post(ChatLogBatch batch)
    {
        Interlocked.Add(ref _posted, batch.Records.Count);
        _batches.Writer.TryWrite(batch);
    }

    public void Complete() => _batches.Writer.TryComplete();

    public async Task RunAsync()
    {
        try
        {
            await RunUntilEndAsync().ConfigureAwait(false);
        }
        catch (Exception exception)
        {
            // The pump retries each failure of the sink and of the file, so this is a bug. The batches that are not written keep their
            // space in the queue, so the queue's policy decides about new records, and the stop reports the missing ones.
            StorageLog.SinkEnded(context.Logger, sink.Name, exception.Message, exception);
        }
    }

    private async Task RunUntilEndAsync()
    {
        bool isRunning = true;
        while (isRunning)
        {
            // The server's start has stored the batches that an earlier process left in the file.
            if (_isSpilling)
            {
                isRunning = await ImportAsync().ConfigureAwait(false);
            }
            else
            {
                isRunning = await WaitForBatchAsync().ConfigureAwait(false) && await WriteGatheredAsync().ConfigureAwait(false);
            }
        }

        await GiveUpRestAsync().ConfigureAwait(false);
    }

    /// <summary>Writes the waiting batches, as many as fit in one write.</summary>
    /// <returns><see langword="false"/> when the writer gave up first.</returns>
    private async Task<bool> WriteGatheredAsync()
    {
        _current = Gather();
        IReadOnlyList<ChatRecord> records = RecordsOf(_current);
        bool isWritten = await WriteAsync(records).ConfigureAwait(false);
        if (_current.Count == 0)
        {
            // During the write, the batches went to the file, as its first ones, or were given up.
            if (isWritten)
            {
                RemoveFirst();
            }

            return isWritten || !context.Aborted.IsCancellationRequested;
        }

        if (isWritten)
        {
            NoteTraces(records.Count);
        }

        bool isSafe = isWritten || (spill?.TryAppend(records) ?? false);
        _current.ForEach(batch => Finish(batch, isSafe));
        _current = [];
        return isWritten;
    }

    private void NoteTraces(int records)
    {
        foreach (ChatLogBatch batch in _current)
        {
            if (batch.Traces is { } traces)
            {
                StorageTracing.NoteStored(traces, sink.Name, records);
            }
        }
    }

    private List<ChatLogBatch> Gather()
    {
        var batches = new List<ChatLogBatch>();
        int count = 0;
        long bytes = 0;
        while (_batches.Reader.TryPeek(out ChatLogBatch? next) && (count == 0 || Fits(next)))
        {
            _batches.Reader.TryRead(out _);
            batches.Add(next);
            count += next.Records.Count;
            bytes += next.Bytes;
        }

        return batches;

        bool Fits(ChatLogBatch next) =>
            count + next.Records.Count <= context.Options.BatchRecords && bytes + next.Bytes <= context.Options.MaxBatchBytes;
    }

    private static IReadOnlyList<ChatRecord> RecordsOf(List<ChatLogBatch> batches) =>
        batches.Count == 1 ? batches[0].Records : batches.SelectMany(static batch => batch.Records).ToArray();

    /// <summary>Writes the file's oldest batch.</summary>
    /// <returns><see langword="false"/> when the writer gave up first.</returns>
    private async Task<bool> ImportAsync()
    {
        IReadOnlyList<ChatRecord> records;
        try
        {
            records = spill!.ReadFirst();
        }
        catch (Exception exception)
        {
            // Treated as a failure of the sink: the pump tries again, and new batches go behind the others.
            _failures.NoteFailure(exception);
            await SpillWhileAsync(_failures.BackOffAsync()).ConfigureAwait(false);
            return !context.Aborted.IsCancellationRequested;
        }

        if (!await WriteAsync(records).ConfigureAwait(false))
        {
            return false;
        }

        RemoveFirst();
        return true;
    }

    private void RemoveFirst()
    {
        spill!.RemoveFirst();
        _isSpilling = !spill.IsEmpty;
        if (!_isSpilling)
        {
            StorageLog.SpillEmptied(context.Logger, sink.Name);
        }
    }

    /// <returns><see langword="false"/> when the writer gave up first.</returns>
    private async Task<bool> WriteAsync(IReadOnlyList<ChatRecord> records)
    {
        Task<(int Added, List<(ChatRecord Record, StorageException Reason)> Refused)?> writing = WriteUntilDoneAsync(records);
        await SpillWhileAsync(writing).ConfigureAwait(false);
        if (await writing.ConfigureAwait(false) is not { } written)
        {
            return false;
        }

        ChatRecord[] refused = written.Refused.Select(static one => one.Record).ToArray();
        if (refused.Length > 0)
        {
            NoteRefused(written.Refused);
            records = records.Except(refused).ToArray();
        }

        stored?.Invoke(refused, records, written.Added);
        return true;
    }

    /// <summary>Until the work is done, moves to the file what the queue has no space for.</summary>
    private async Task SpillWhileAsync(Task work)
    {
        while (spill is not null && !work.IsCompleted)
        {
            Task change = context.Queue.IsNearlyFull ? WaitForBatchAsync() : context.Queue.WaitUntilNearlyFullAsync();
            await Task.WhenAny(work, change).ConfigureAwait(false);
            if (_batches.Reader.Completion.IsCompleted)
            {
                break; // no more batches will come
            }

            if (!work.IsCompleted && !SpillWaiting())
            {
                // Neither the sink nor the file takes it now, so the queue fills, and its policy decides about new records. The file may
                // have space before the sink works again.
                await work.WaitAsync(context.Options.RetryDelay, context.Time, CancellationToken.None)
                    .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            }
        }

        await work.ConfigureAwait(false);
    }

    /// <summary>Moves batches to the file while the queue is nearly full. Those being written are the oldest, so they go first.</summary>
    /// <returns><see langword="false"/> when the file does not take them.</returns>
    private bool SpillWaiting()
    {
        if (_current.Count > 0 && context.Queue.IsNearlyFull)
        {
            if (!TrySpill(RecordsOf(_current), _current))
            {
                return false;
            }

            _current = [];
        }

        while (context.Queue.IsNearlyFull && _batches.Reader.TryPeek(out ChatLogBatch? next))
        {
            if (!TrySpill(next.Records, [next]))
            {
                return false;
            }

            _batches.Reader.TryRead(out _);
        }

        return true;
    }

    private bool TrySpill(IReadOnlyList<ChatRecord> records, List<ChatLogBatch> batches)
    {
        if (!spill!.TryAppend(records))
        {
            return false;
        }

        if (!_isSpilling)
        {
            _isSpilling = true;
            StorageLog.SpillBegun(context.Logger, sink.Name);
        }

        batches.ForEach(batch => Finish(batch, isSafe: true));
        return true;
    }

    /// <summary>After the stop's time has run out, moves to the file the batches that it still takes.</summary>
    private async Task GiveUpRestAsync()
    {
        while (await WaitForBatchAsync().ConfigureAwait(false))
        {
            while (_batches.Reader.TryRead(out ChatLogBatch? batch))
            {
                Finish(batch, spill?.TryAppend(batch.Records) ?? false);
            }
        }
    }

    private void Finish(ChatLogBatch batch, bool isSafe)
    {
        if (isSafe)
        {
            Interlocked.Add(ref _safe, batch.Records.Count);
        }

        context.Finished(batch, isSafe);
        if (isFirst)
        {
            batch.HasLeftFirst = true;
        }

        left?.Invoke(batch);
    }

    private Task<bool> WaitForBatchAsync()
    {
        if (_waiting is null || _waiting.IsCompleted)
        {
            _waiting = _batches.Reader.WaitToReadAsync().AsTask();
        }

        return _waiting;
    }

    /// <returns>What the sink has added and what it refuses; <see langword="null"/> when the writer gave up first.</returns>
    private async Task<(int Added, List<(ChatRecord Record, StorageException Reason)> Refused)?> WriteUntilDoneAsync(
        IReadOnlyList<ChatRecord> records)
    {
        while (!context.Aborted.IsCancellationRequested)
        {
            try
            {
                (int Added, List<(ChatRecord Record, StorageException Reason)> Refused) written =
                    await SiftedWrite.RunAsync(records, WriteOnceAsync).ConfigureAwait(false);
                _failures.NoteSuccess();
                return written;
            }
            catch (OperationCanceledException) when (context.Aborted.IsCancellationRequested)
            {
                return null;
            }
            catch (Exception exception)
            {
                // Whatever the exception is, the pump keeps the batch until a stop or the queue's space ends that.
                _failures.NoteFailure(exception);
                if (GiveUpOldest(exception))
                {
                    return null;
                }
            }

            await _failures.BackOffAsync().ConfigureAwait(false);
        }

        return null;
    }

    private void NoteRefused(List<(ChatRecord Record, StorageException Reason)> refused)
    {
        if (isFirst)
        {
            // Without a batch in memory they come from the spill file, and count as stored since they went there.
            context.Metrics.RecordRejected(refused.Count, wereStored: _current.Count == 0);
            _current.ForEach(batch => batch.Rejected = batch.Records.Intersect(refused.Select(static one => one.Record)).Count());
        }

        refused.ForEach(one => StorageLog.RecordRefused(context.Logger, sink.Name, one.Record, one.Reason.Message));
    }

    /// <summary>Waits for a write until the stop has run out of time, even when the sink ignores the cancellation.</summary>
    /// <remarks>A batch that the sink hangs on can then still go to the file.</remarks>
    private async Task<int> WriteOnceAsync(IReadOnlyList<ChatRecord> records)
    {
        long began = context.Time.GetTimestamp();
        Task<int> writing = sink.WriteBatchAsync(records, context.Aborted);
        try
        {
            await ((Task)writing).WaitAsync(context.Options.WarnAfter, context.Time, context.Aborted)
                .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            if (!writing.IsCompleted && !context.Aborted.IsCancellationRequested)
            {
                _failures.NoteSilence(began);
            }

            return await writing.WaitAsync(context.Aborted).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (!writing.IsCompleted)
        {
            // Abandoned. Should it succeed after all, the sink recognizes the records in the file by their key.
            _ = writing.ContinueWith(
                static abandoned => _ = abandoned.Exception,
                CancellationToken.None,
                TaskContinuationOptions.ExecuteSynchronously,
                TaskScheduler.Default);
            throw;
        }
    }

    /// <summary>Makes space in a queue that is half full, by giving up batches that the first sink has written.</summary>
    /// <returns>Whether the batches that were being written are given up.</returns>
    private bool GiveUpOldest(Exception exception)
    {
        // A batch that the first sink still lacks would keep its space anyway. A stopping writer needs no space.
        if (isFirst
            || !_failures.AreRepeated
            || context.Stopping.IsCancellationRequested
            || !context.Queue.IsHalfFull
            || !_current[^1].HasLeftFirst)
        {
            return false;
        }

        _current.ForEach(batch => GiveUp(batch, exception));
        _current = [];
        // Down to a quarter: otherwise the pump would try the sink again for each new batch.
        while (context.Queue.IsQuarterFull && _batches.Reader.TryPeek(out ChatLogBatch? next) && next.HasLeftFirst)
        {
            _batches.Reader.TryRead(out _);
            GiveUp(next, exception);
        }

        return true;
    }

    private void GiveUp(ChatLogBatch batch, Exception exception)
    {
        _failures.NoteGivenUp(batch.Records.Count, exception);
        Finish(batch, isSafe: false);
    }
}
