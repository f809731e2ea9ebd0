namespace PlayChat.Storage.ChatLog;

/// <summary>
/// The failures of one sink since its last success, and a write that it does not answer: logs their begin and end, and spaces the retries.
/// </summary>
/// <remarks>For the sink's loop alone.</remarks>
/// <param name="sink">The sink's name, for the log.</param>
/// <param name="context">The writer's.</param>
/// <param name="isFirst">Whether the sink is the first. The queue's space never waits for another sink alone.</param>
internal sealed class SinkFailures(string sink, ChatLogPumpContext context, bool isFirst)
{
    private int _inARow;
    private long? _silentSince; // timestamp of the write that was logged as not answered
    private long _givenUp; // records

    /// <summary>Whether there was more than one in a row. A single failure may pass.</summary>
    public bool AreRepeated => _inARow > 1;

    public void NoteSuccess()
    {
        if (_silentSince is { } began)
        {
            StorageLog.SinkAnswers(context.Logger, sink, context.Time.GetElapsedTime(began).TotalSeconds);
        }
        else if (_inARow > 0)
        {
            StorageLog.SinkRecovered(context.Logger, sink, _inARow);
        }

        _silentSince = null;
        _inARow = 0;
        if (_givenUp > 0)
        {
            StorageLog.SinkHasGap(context.Logger, sink, _givenUp);
            _givenUp = 0;
        }
    }

    /// <summary>Notes that the sink has not answered a write for <see cref="ChatLogOptions.WarnAfter"/>.</summary>
    /// <param name="began">When the write began, as a timestamp of the writer's clock.</param>
    public void NoteSilence(long began)
    {
        // Once until the sink works again: a database that fails now and hangs at the next try has been logged.
        if (_silentSince is null && _inARow == 0)
        {
            _silentSince = began;
            DateTimeOffset since = context.Time.GetUtcNow() - context.Time.GetElapsedTime(began);
            StorageLog.SinkSilent(context.Logger, sink, since);
        }
    }

    public void NoteFailure(Exception exception)
    {
        context.Metrics.RecordFailure();
        if (_inARow == 0)
        {
            // The message of a disk's or a database's error says everything. Any other exception is a bug, which its stack trace finds.
            bool isClear = exception is StorageException or IOException or UnauthorizedAccessException;
            StorageLog.SinkFailed(context.Logger, sink, exception.Message, isClear ? null : exception);
        }

        _inARow++;
    }

    /// <summary>Notes that the sink will lack records because of a failure.</summary>
    public void NoteGivenUp(long records, Exception exception)
    {
        if (_givenUp == 0)
        {
            StorageLog.SinkGivesUp(context.Logger, sink, exception.Message);
        }

        _givenUp += records;
    }

    /// <summary>Waits before the next try: longer after each failure, but shorter when a stop or the queue's space waits for it.</summary>
    public async Task BackOffAsync()
    {
        // A stop has a deadline, so it ends this wait and makes the following ones the shortest.
        bool isStopping = context.Stopping.IsCancellationRequested;
        bool isUrgent = isStopping || (!isFirst && context.Queue.IsHalfFull);
        int doublings = isUrgent ? 0 : Math.Min(_inARow - 1, 20);
        var delay = TimeSpan.FromTicks(Math.Min(context.Options.RetryDelay.Ticks << doublings, context.Options.MaxRetryDelay.Ticks));
        CancellationToken end = isStopping ? context.Aborted : context.Stopping;
        Task wait = isFirst || isUrgent
            ? Task.Delay(delay, context.Time, end)
            : context.Queue.WaitUntilHalfFullAsync().WaitAsync(delay, context.Time, end);
        await wait.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
    }
}
