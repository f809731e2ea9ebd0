using Microsoft.Extensions.Logging;

namespace PlayChat.Storage.Diagnostics;

/// <summary>Log messages of the storage. Event ids 6000 to 6099.</summary>
internal static partial class StorageLog
{
    [LoggerMessage(6000, LogLevel.Warning, "Chat log {Sink} fails, its records wait: {Reason}")]
    public static partial void SinkFailed(ILogger logger, string sink, string reason, Exception? exception);

    [LoggerMessage(6001, LogLevel.Information, "Chat log {Sink} is back after {Failures} failed tries.")]
    public static partial void SinkRecovered(ILogger logger, string sink, int failures);

    [LoggerMessage(6002, LogLevel.Warning, "Chat log is full: records are not stored until it has space.")]
    public static partial void QueueFull(ILogger logger);

    [LoggerMessage(6003, LogLevel.Information, "Chat log has space again; {NotStored} records were not stored.")]
    public static partial void QueueHasSpace(ILogger logger, long notStored);

    [LoggerMessage(6004, LogLevel.Error, "Chat log stopped with {NotStored} accepted records not stored in {Sink}.")]
    public static partial void StoppedIncomplete(ILogger logger, string sink, long notStored);

    [LoggerMessage(
        6005, LogLevel.Error,
        "Chat log {Sink} gets a gap. It keeps failing ({Reason}) while half of the queue waits for it alone, so its oldest records are "
            + "given up until it works. The database gets them. Free the disk of {Sink}, or give this program the right to write there.")]
    public static partial void SinkGivesUp(ILogger logger, string sink, string reason);

    [LoggerMessage(6006, LogLevel.Warning, "Chat log {Sink} has a gap of {Records} records, which only the database has.")]
    public static partial void SinkHasGap(ILogger logger, string sink, long records);

    [LoggerMessage(
        6007, LogLevel.Error,
        "Chat log {Sink} ended because of a bug in this program, and stores no more records: {Reason} Restart the server, and report "
            + "this.")]
    public static partial void SinkEnded(ILogger logger, string sink, string reason, Exception exception);

    [LoggerMessage(
        6008, LogLevel.Warning,
        "Chat log {Sink} has not answered since {Since:u}: its records wait. Check that it runs, that this machine reaches it, and that no "
            + "other program locks its tables.")]
    public static partial void SinkSilent(ILogger logger, string sink, DateTimeOffset since);

    [LoggerMessage(6009, LogLevel.Information, "Chat log {Sink} is back: it had not answered for {Seconds:0.0} s.")]
    public static partial void SinkAnswers(ILogger logger, string sink, double seconds);

    [LoggerMessage(6010, LogLevel.Warning, "Chat log {Sink} is away and the queue is nearly full: its records go to the spill file.")]
    public static partial void SpillBegun(ILogger logger, string sink);

    [LoggerMessage(6011, LogLevel.Information, "Chat log {Sink} has stored every record that was in the spill file.")]
    public static partial void SpillEmptied(ILogger logger, string sink);

    [LoggerMessage(
        6012, LogLevel.Error,
        "The chat log's spill file takes nothing: {Reason} If its disk has space, raise ChatLog:SpillBytes. The server tries again.")]
    public static partial void SpillFailed(ILogger logger, string reason);

    [LoggerMessage(6013, LogLevel.Information, "The chat log's spill file {Path} holds {Records} records of an earlier run.")]
    public static partial void SpillFound(ILogger logger, string path, long records);

    [LoggerMessage(
        6016, LogLevel.Error,
        "The chat log's spill file {Path} is damaged. It was moved to {Copy}, and the batches in it that are whole are stored. Look for "
            + "missing messages in the day files or by 'sqlite3 {Copy} .recover', and delete the moved file when you no longer need it.")]
    public static partial void SpillDamaged(ILogger logger, string path, string copy);

    [LoggerMessage(
        6017, LogLevel.Error,
        "Chat log {Sink} refuses message {Record} (room/sequence) for good: {Reason} The message is left out there, and the others are "
            + "stored. Look whether the tables have checks that are not PlayChat's.")]
    public static partial void RecordRefused(ILogger logger, string sink, ChatRecord record, string reason);
}
