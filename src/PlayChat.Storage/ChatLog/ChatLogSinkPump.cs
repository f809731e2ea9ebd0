using System.Threading.Channels;
using PlayChat.Storage.Diagnostics;

namespace PlayChat.Storage.ChatLog;

/// <summary>Feeds one sink: in order, each batch until it is written. Sinks wait for each other only by the queue's space, which a batch keeps until all have it.</summary>
/// <remarks>
/// <para>With a spill file, the sink can be away for longer than the queue has space: whenever the queue is nearly full, what waits goes to the
/// file. The file is older than all that waits in memory, so it is written first when the sink is back.</para>
/// <para>A sink other than the first, the database, that keeps failing gives its oldest batches up when the queue is half full, which is
/// before the first one begins to spill: what only the others lack keeps nothing out of the database.</para>
/// </remarks>
/// <param name="sink">Where to.</param>
/// <param name="context">The writer's.</param>
/// <param name="isFirst">Whether it is the first, which never gives up.</param>
/// <param name="spill">The sink's own file; without, what finds no space is the queue's to refuse.</param>
/// <param name="stored">Called with the records of each write that has succeeded.</param>
internal sealed class ChatLogSinkPump(IChatLogSink sink, ChatLogPumpContext context, bool isFirst, ChatLogSpill? spill = null, Action<IReadOnlyList<ChatRecord>>? stored = null)
{
    // Its bound is the queue's: a batch gives its space back only when every sink has it.
    private readonly Channel<ChatLogBatch> _batches = Channel.CreateUnbounded<ChatLogBatch>(new() { SingleReader = true, SingleWriter = true });
    private List<ChatLogBatch> _current = []; // being written, and neither in the file nor given up
    private Task<bool>? _waiting; // for batches: the channel knows one at a time
    private long _posted;
    private long _safe;
    private int _failuresInARow;
    private long _givenUp; // records, since the sink worked last
    private bool _isSpilling;

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
            // What sink and file fail with is tried again, so this is a mistake of the program. What is not written stays in the queue, whose policy then says what it
            // means, and the stop reports it.
            StorageLog.SinkEnded(context.Logger, sink.Name, exception.Message, exception);
        }
    }

    private async Task RunUntilEndAsync()
    {
        bool goesOn = true;
        while (goesOn)
        {
            // What an earlier process left in the file is taken up by the server's start, not here.
            if (_isSpilling)
            {
                goesOn = await ImportAsync().ConfigureAwait(false);
            }
            else
            {
                goesOn = await WaitForBatchAsync().ConfigureAwait(false) && await WriteGatheredAsync().ConfigureAwait(false);
            }
        }

        await GiveUpRestAsync().ConfigureAwait(false);
    }

    /// <summary>Writes the batches that wait, as many as one write may have.</summary>
    /// <returns><see langword="false"/> when the writer gave up first.</returns>
    private async Task<bool> WriteGatheredAsync()
    {
        _current = Gather();
        IReadOnlyList<ChatRecord> records = RecordsOf(_current);
        bool isWritten = await WriteAsync(records).ConfigureAwait(false);
        if (_current.Count == 0)
        {
            // While it was written it went to the file, which was empty, or it was given up.
            if (isWritten)
            {
                RemoveFirst();
            }

            return isWritten || !context.Aborted.IsCancellationRequested;
        }

        bool isSafe = isWritten || (spill?.TryAppend(records) ?? false);
        _current.ForEach(batch => Finish(batch, isSafe));
        _current = [];
        return isWritten;
    }

    private List<ChatLogBatch> Gather()
    {
        var batches = new List<ChatLogBatch>();
        int count = 0;
        long bytes = 0;
        while (_batches.Reader.TryPeek(out ChatLogBatch? next)
            && (count == 0 || (count + next.Records.Count <= context.Options.MaxBatchRecords && bytes + next.Bytes <= context.Options.MaxBatchBytes)))
        {
            _batches.Reader.TryRead(out _);
            batches.Add(next);
            count += next.Records.Count;
            bytes += next.Bytes;
        }

        return batches;
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
            // As a sink that fails: it is tried again, and what comes meanwhile goes behind.
            NoteFailure(exception);
            await SpillWhileAsync(BackOffAsync()).ConfigureAwait(false);
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
        Task<bool> writing = WriteUntilDoneAsync(records);
        await SpillWhileAsync(writing).ConfigureAwait(false);
        bool written = await writing.ConfigureAwait(false);
        if (written)
        {
            stored?.Invoke(records);
        }

        return written;
    }

    /// <summary>Until a work is done, has the file take what finds no space in the queue.</summary>
    private async Task SpillWhileAsync(Task work)
    {
        while (spill is not null && !work.IsCompleted)
        {
            Task change = context.Queue.IsNearlyFull ? WaitForBatchAsync() : context.Queue.WaitUntilNearlyFullAsync();
            await Task.WhenAny(work, change).ConfigureAwait(false);
            if (_batches.Reader.Completion.IsCompleted)
            {
                break; // nothing more comes
            }

            if (!work.IsCompleted && !SpillWaiting())
            {
                // Neither sink nor file takes it now: the queue fills, and its policy says what that means. The file may have space before the sink is back.
                await work.WaitAsync(context.Options.RetryDelay, context.Time, CancellationToken.None).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            }
        }

        await work.ConfigureAwait(false);
    }

    /// <summary>Moves what waits to the file, what is being written first: so the file misses nothing that is older than what it has.</summary>
    /// <returns><see langword="false"/> when that has no space.</returns>
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
        // The system has it then, so a killed process loses none of it. To wait for the disk itself would hold up the queue for longer than it has space.
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

    /// <summary>After the stop's time has run out: what the file still takes is not lost.</summary>
    private async Task GiveUpRestAsync()
    {
        while (await WaitForBatchAsync().ConfigureAwait(false))
        {
            while (_batches.Reader.TryRead(out ChatLogBatch? batch))
            {
                Finish(batch, spill?.TryAppend(batch.Records) ?? false);
            }
        }

        spill?.Flush();
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
    }

    private Task<bool> WaitForBatchAsync()
    {
        if (_waiting is null || _waiting.IsCompleted)
        {
            _waiting = _batches.Reader.WaitToReadAsync().AsTask();
        }

        return _waiting;
    }

    private async Task<bool> WriteUntilDoneAsync(IReadOnlyList<ChatRecord> records)
    {
        while (!context.Aborted.IsCancellationRequested)
        {
            try
            {
                await WriteOnceAsync(records).ConfigureAwait(false);
                NoteSuccess();
                return true;
            }
            catch (OperationCanceledException) when (context.Aborted.IsCancellationRequested)
            {
                return false;
            }
            catch (Exception exception)
            {
                // Whatever it is, the batch stays until a stop, or the queue, needs it gone.
                NoteFailure(exception);
                if (GiveUpOldest(exception))
                {
                    return false;
                }
            }

            await BackOffAsync().ConfigureAwait(false);
        }

        return false;
    }

    /// <summary>Waits for a write only until the stop has run out of time, also when the sink does not heed that: what it hangs on can then still go to the file.</summary>
    private async Task WriteOnceAsync(IReadOnlyList<ChatRecord> records)
    {
        Task writing = sink.WriteBatchAsync(records, context.Aborted);
        try
        {
            await writing.WaitAsync(context.Aborted).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (!writing.IsCompleted)
        {
            // Left behind. Should it succeed after all, the records of the file are known by their key.
            _ = writing.ContinueWith(static left => _ = left.Exception, CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
            throw;
        }
    }

    /// <summary>Makes space in a queue that is half full, of what this sink alone still lacks and cannot take.</summary>
    /// <returns>Whether what is being written is gone.</returns>
    private bool GiveUpOldest(Exception exception)
    {
        // Not at the first failure, which may pass. What the first sink still has to write would keep its space anyway. A stopping writer takes nothing that needs it.
        if (isFirst || _failuresInARow < 2 || context.Stopping.IsCancellationRequested || !context.Queue.IsHalfFull || !_current[^1].HasLeftFirst)
        {
            return false;
        }

        if (_givenUp == 0)
        {
            StorageLog.SinkGivesUp(context.Logger, sink.Name, exception.Message);
        }

        _current.ForEach(GiveUp);
        _current = [];
        // Down to a quarter, or each new batch would be another try, in vain.
        while (context.Queue.IsQuarterFull && _batches.Reader.TryPeek(out ChatLogBatch? next) && next.HasLeftFirst)
        {
            _batches.Reader.TryRead(out _);
            GiveUp(next);
        }

        return true;
    }

    private void GiveUp(ChatLogBatch batch)
    {
        _givenUp += batch.Records.Count;
        Finish(batch, isSafe: false);
    }

    private void NoteSuccess()
    {
        if (_failuresInARow > 0)
        {
            StorageLog.SinkRecovered(context.Logger, sink.Name, _failuresInARow);
            _failuresInARow = 0;
        }

        if (_givenUp > 0)
        {
            StorageLog.SinkHasGap(context.Logger, sink.Name, _givenUp);
            _givenUp = 0;
        }
    }

    private void NoteFailure(Exception exception)
    {
        context.Metrics.RecordFailure();
        if (_failuresInARow == 0)
        {
            StorageLog.SinkFailed(context.Logger, sink.Name, exception.Message, exception);
        }

        _failuresInARow++;
    }

    private async Task BackOffAsync()
    {
        // A stop has a deadline: it cuts the wait short and then tries at the shortest distance. So does a sink that the queue's space waits for.
        bool isStopping = context.Stopping.IsCancellationRequested;
        bool hurry = isStopping || (!isFirst && context.Queue.IsHalfFull);
        int doublings = hurry ? 0 : Math.Min(_failuresInARow - 1, 20);
        var delay = TimeSpan.FromTicks(Math.Min(context.Options.RetryDelay.Ticks << doublings, context.Options.MaxRetryDelay.Ticks));
        CancellationToken end = isStopping ? context.Aborted : context.Stopping;
        Task wait = isFirst || hurry
            ? Task.Delay(delay, context.Time, end)
            : context.Queue.WaitUntilHalfFullAsync().WaitAsync(delay, context.Time, end);
        await wait.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
    }
}
