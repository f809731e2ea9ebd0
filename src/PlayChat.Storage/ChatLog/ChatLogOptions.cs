namespace PlayChat.Storage.ChatLog;

/// <summary>Settings of <see cref="ChatLogWriter"/>.</summary>
public sealed class ChatLogOptions
{
    /// <summary>Most records accepted and not yet stored, 1 to 10,000,000. Default 100,000.</summary>
    public int MaxQueuedRecords { get; set; } = 100_000;

    /// <summary>Most memory those records may take, as estimated, 64 KiB to 16 GiB. Default 64 MiB.</summary>
    public long MaxQueuedBytes { get; set; } = 64L * 1024 * 1024;

    /// <summary>Most records of one batch, 1 to 100,000. Default 1,000.</summary>
    public int MaxBatchRecords { get; set; } = 1_000;

    /// <summary>
    /// Longest time a record waits for its batch to fill, 0 to 1 minute. Default 100 milliseconds. What a killed process had
    /// accepted within about this time is lost.
    /// </summary>
    public TimeSpan FlushInterval { get; set; } = TimeSpan.FromMilliseconds(100);

    /// <summary>What happens when the queue is full. Default <see cref="ChatLogFullPolicy.Count"/>.</summary>
    public ChatLogFullPolicy FullPolicy { get; set; } = ChatLogFullPolicy.Count;

    /// <summary>
    /// The wait before a failed batch is tried again, 1 millisecond to 1 minute. Default 100 milliseconds; doubles with each
    /// failure in a row.
    /// </summary>
    public TimeSpan RetryDelay { get; set; } = TimeSpan.FromMilliseconds(100);

    /// <summary>Where the doubling ends, <see cref="RetryDelay"/> to 10 minutes. Default 5 seconds.</summary>
    public TimeSpan MaxRetryDelay { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>How long a stop may take to store what was accepted, 0 to 1 hour. Default 30 seconds.</summary>
    public TimeSpan StopTimeout { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>Checks every value.</summary>
    /// <exception cref="StorageException">A value is out of range; the message names it, its value and the range.</exception>
    public void Validate()
    {
        Check(nameof(MaxQueuedRecords), MaxQueuedRecords, 1, 10_000_000);
        Check(nameof(MaxQueuedBytes), MaxQueuedBytes, 64L * 1024, 16L * 1024 * 1024 * 1024);
        Check(nameof(MaxBatchRecords), MaxBatchRecords, 1, 100_000);
        Check(nameof(FlushInterval), FlushInterval, TimeSpan.Zero, TimeSpan.FromMinutes(1));
        Check(nameof(RetryDelay), RetryDelay, TimeSpan.FromMilliseconds(1), TimeSpan.FromMinutes(1));
        Check(nameof(MaxRetryDelay), MaxRetryDelay, RetryDelay, TimeSpan.FromMinutes(10));
        Check(nameof(StopTimeout), StopTimeout, TimeSpan.Zero, TimeSpan.FromHours(1));
        if (!Enum.IsDefined(FullPolicy))
        {
            throw new StorageException(StorageErrorKind.InvalidOption, $"{nameof(FullPolicy)} is {FullPolicy}: it must be Count or Wait.");
        }
    }

    /// <summary>A batch of more is none: it is in memory until it is written, and while the database is away there must be space for others behind it.</summary>
    internal long MaxBatchBytes => MaxQueuedBytes / 4;

    internal ChatLogOptions Copy() => (ChatLogOptions)MemberwiseClone();

    private static void Check<T>(string name, T value, T least, T most)
        where T : IComparable<T>
    {
        if (value.CompareTo(least) < 0 || value.CompareTo(most) > 0)
        {
            throw new StorageException(StorageErrorKind.InvalidOption, FormattableString.Invariant($"{name} is {value}: it must be from {least} to {most}."));
        }
    }
}
