using PlayChat.Options;

namespace PlayChat.Storage.ChatLog;

/// <summary>Settings of <see cref="ChatLogWriter"/>.</summary>
/// <remarks>docs/reference/limits.md lists the defaults and ranges.</remarks>
public class ChatLogOptions
{
    /// <summary>The number of records that may be accepted and not yet stored.</summary>
    [Option(
        "Number of messages that may be accepted and not yet stored.",
        Min = 1,
        Max = 10_000_000,
        WhenReached = "From three quarters on, messages go to the spill file. When that is full, `ChatLog:FullPolicy` acts.",
        SeenIn = "`chat queued`, `chat stored` in the table")]
    public int QueueRecords { get; set; } = 100_000;

    /// <summary>The estimated memory that those records may take, in bytes.</summary>
    [Option(
        "Bytes of memory that those messages may take.",
        Min = 65_536,
        Max = 17_179_869_184,
        WhenReached = "As for the number of messages.",
        SeenIn = "`chat queued`, `chat stored` in the table")]
    public long QueueBytes { get; set; } = 64L * 1024 * 1024;

    /// <summary>The number of records in one batch.</summary>
    [Option("Number of messages in one batch.", Min = 1, Max = 100_000)]
    public int BatchRecords { get; set; } = 1_000;

    /// <summary>
    /// The longest time a record waits for its batch to fill. A killed process loses what it accepted within about this time.
    /// </summary>
    [Option(
        "Longest time a message waits for its batch to fill (Durability Async). With Stored a batch fills while the one before is stored.",
        Min = "00:00:00",
        Max = "00:01:00")]
    public TimeSpan FlushInterval { get; set; } = TimeSpan.FromMilliseconds(100);

    /// <summary>What happens when the queue is full.</summary>
    [Option("What happens when that queue is full: Count continues and counts what is not stored, Wait slows the senders (always with "
        + "Stored).")]
    public ChatLogFullPolicy FullPolicy { get; set; } = ChatLogFullPolicy.Count;

    /// <summary>The wait before a failed batch is retried; it doubles with each failure in a row.</summary>
    [Option("Wait before a failed batch is retried.", Min = "00:00:00.001", Max = "00:01:00")]
    public TimeSpan RetryDelay { get; set; } = TimeSpan.FromMilliseconds(100);

    /// <summary>Where the doubling ends; at least <see cref="RetryDelay"/>.</summary>
    [Option(
        "Longest wait before a failed batch is retried: the wait doubles with each failure in a row.",
        Min = "00:00:00.001",
        Max = "00:10:00",
        WhenReached = "Further waits are as long.")]
    public TimeSpan MaxRetryDelay { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>How long a stop may take to store what was accepted.</summary>
    [Option("How long a stopping server may take to store what was accepted.", Min = "00:00:00", Max = "01:00:00")]
    public TimeSpan StopTimeout { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// How long a write may take before the log warns that its sink does not answer. Default 5 seconds;
    /// <see cref="Timeout.InfiniteTimeSpan"/> for no warning.
    /// </summary>
    public TimeSpan WarnAfter { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>Checks every value.</summary>
    /// <exception cref="StorageException">A value is out of range; the message names it, its value and the range.</exception>
    public void Validate()
    {
        StorageOptions.Check(this);
        if (WarnAfter <= TimeSpan.Zero && WarnAfter != Timeout.InfiniteTimeSpan)
        {
            throw Invalid($"{nameof(WarnAfter)} is {WarnAfter}: it must be more than 0, or infinite.");
        }

        if (MaxRetryDelay < RetryDelay)
        {
            throw Invalid($"{nameof(MaxRetryDelay)} is {MaxRetryDelay}: it must be at least {nameof(RetryDelay)}, {RetryDelay}.");
        }
    }

    /// <summary>
    /// The largest batch. A batch stays in memory until it is written, and the queue must have space for others while the database is
    /// unavailable.
    /// </summary>
    internal long MaxBatchBytes => QueueBytes / 4;

    internal ChatLogOptions Copy() => (ChatLogOptions)MemberwiseClone();

    private static StorageException Invalid(string message) => new(StorageErrorKind.InvalidOption, message);
}
