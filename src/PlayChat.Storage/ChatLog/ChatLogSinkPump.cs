using System.Threading.Channels;
using Microsoft.Extensions.Logging;
using PlayChat.Storage.Diagnostics;

namespace PlayChat.Storage.ChatLog;

/// <summary>Feeds one sink: a batch at a time, in order, each until it is written. Sinks so never wait for each other.</summary>
internal sealed class ChatLogSinkPump(
    IChatLogSink sink,
    ChatLogOptions options,
    TimeProvider time,
    ILogger logger,
    ChatLogMetrics metrics,
    Action<ChatLogBatch, bool> finished,
    CancellationToken stopping,
    CancellationToken aborted)
{
    // Its bound is the queue's: a batch gives its space back only when every sink has it.
    private readonly Channel<ChatLogBatch> _batches = Channel.CreateUnbounded<ChatLogBatch>(new() { SingleReader = true, SingleWriter = true });
    private long _posted;
    private long _written;
    private int _failuresInARow;

    public string Name => sink.Name;

    public long NotWritten => Interlocked.Read(ref _posted) - Interlocked.Read(ref _written);

    public void Post(ChatLogBatch batch)
    {
        Interlocked.Add(ref _posted, batch.Records.Count);
        _batches.Writer.TryWrite(batch);
    }

    public void Complete() => _batches.Writer.TryComplete();

    public async Task RunAsync()
    {
        await foreach (ChatLogBatch batch in _batches.Reader.ReadAllAsync().ConfigureAwait(false))
        {
            bool written = await WriteAsync(batch).ConfigureAwait(false);
            if (written)
            {
                Interlocked.Add(ref _written, batch.Records.Count);
            }
            finished(batch, written);
        }
    }

    /// <returns><see langword="false"/> when the writer gave up first.</returns>
    private async Task<bool> WriteAsync(ChatLogBatch batch)
    {
        while (!aborted.IsCancellationRequested)
        {
            try
            {
                await sink.WriteBatchAsync(batch.Records, aborted).ConfigureAwait(false);
                NoteSuccess();
                return true;
            }
            catch (OperationCanceledException) when (aborted.IsCancellationRequested)
            {
                return false;
            }
            catch (Exception exception)
            {
                // Whatever it is, the batch stays: only a stop gives it up.
                NoteFailure(exception);
            }
            await BackOffAsync().ConfigureAwait(false);
        }
        return false;
    }

    private void NoteSuccess()
    {
        if (_failuresInARow > 0)
        {
            StorageLog.SinkRecovered(logger, sink.Name, _failuresInARow);
            _failuresInARow = 0;
        }
    }

    private void NoteFailure(Exception exception)
    {
        metrics.RecordFailure();
        if (_failuresInARow == 0)
        {
            StorageLog.SinkFailed(logger, sink.Name, exception.Message, exception);
        }
        _failuresInARow++;
    }

    private async Task BackOffAsync()
    {
        // A stop has a deadline: it cuts the wait short and then tries at the shortest distance.
        bool hurry = stopping.IsCancellationRequested;
        int doublings = hurry ? 0 : Math.Min(_failuresInARow - 1, 20);
        long ticks = Math.Min(options.RetryDelay.Ticks << doublings, options.MaxRetryDelay.Ticks);
        await Task.Delay(TimeSpan.FromTicks(ticks), time, hurry ? aborted : stopping).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
    }
}
