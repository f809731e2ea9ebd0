using Microsoft.Extensions.Logging;

namespace PlayChat.Storage.Diagnostics;

/// <summary>Log messages of the storage. Event ids 6000 to 6099.</summary>
internal static partial class StorageLog
{
    [LoggerMessage(6000, LogLevel.Warning, "Chat log {Sink} fails, its records wait: {Reason}", EventName = nameof(SinkFailed))]
    public static partial void SinkFailed(ILogger logger, string sink, string reason, Exception exception);

    [LoggerMessage(6001, LogLevel.Information, "Chat log {Sink} is back after {Failures} failed tries.", EventName = nameof(SinkRecovered))]
    public static partial void SinkRecovered(ILogger logger, string sink, int failures);

    [LoggerMessage(6002, LogLevel.Warning, "Chat log is full: records are not stored until it has space.", EventName = nameof(QueueFull))]
    public static partial void QueueFull(ILogger logger);

    [LoggerMessage(6003, LogLevel.Information, "Chat log has space again; {NotStored} records were not stored.", EventName = nameof(QueueHasSpace))]
    public static partial void QueueHasSpace(ILogger logger, long notStored);

    [LoggerMessage(6004, LogLevel.Error, "Chat log stopped with {NotStored} accepted records not stored in {Sink}.", EventName = nameof(StoppedIncomplete))]
    public static partial void StoppedIncomplete(ILogger logger, string sink, long notStored);

    [LoggerMessage(6005, LogLevel.Error, "Chat log {Sink} gets a gap: it keeps failing ({Reason}) while half of the queue waits for it alone, so its oldest records are given up until it works. The database gets them. Free the disk it is on, or give this program the right to write there.", EventName = nameof(SinkGivesUp))]
    public static partial void SinkGivesUp(ILogger logger, string sink, string reason);

    [LoggerMessage(6006, LogLevel.Warning, "Chat log {Sink} has a gap of {Records} records, which only the database has.", EventName = nameof(SinkHasGap))]
    public static partial void SinkHasGap(ILogger logger, string sink, long records);

    [LoggerMessage(6007, LogLevel.Error, "Chat log {Sink} has ended by an error of the program and takes nothing more: {Reason} Restart the server, and report this.", EventName = nameof(SinkEnded))]
    public static partial void SinkEnded(ILogger logger, string sink, string reason, Exception exception);

    [LoggerMessage(6010, LogLevel.Warning, "Chat log {Sink} is away and the queue nearly full: its records go to the spill file.", EventName = nameof(SpillBegun))]
    public static partial void SpillBegun(ILogger logger, string sink);

    [LoggerMessage(6011, LogLevel.Information, "Chat log {Sink} has everything that was in the spill file.", EventName = nameof(SpillEmptied))]
    public static partial void SpillEmptied(ILogger logger, string sink);

    [LoggerMessage(6012, LogLevel.Error, "The chat log's spill file {Path} takes nothing: {Reason} Free its disk, or give this program the right to write there; it is tried again.", EventName = nameof(SpillFailed))]
    public static partial void SpillFailed(ILogger logger, string path, string reason);

    [LoggerMessage(6013, LogLevel.Information, "The chat log's spill file {Path} holds {Records} records of an earlier run.", EventName = nameof(SpillFound))]
    public static partial void SpillFound(ILogger logger, string path, long records);

    [LoggerMessage(6014, LogLevel.Warning, "The chat log's spill file {Path} ended in {Bytes} bytes that are no whole batch; they were cut off.", EventName = nameof(SpillCut))]
    public static partial void SpillCut(ILogger logger, string path, long bytes);

    [LoggerMessage(6015, LogLevel.Error, "The chat log's spill file {Path} is damaged: {Bytes} bytes of it are no whole batches, and their messages are not stored. Everything from the first of them on was copied to {Copy}: look for the messages there or in the day files, and delete the copy when nobody needs it.", EventName = nameof(SpillDamaged))]
    public static partial void SpillDamaged(ILogger logger, string path, long bytes, string copy);
}
