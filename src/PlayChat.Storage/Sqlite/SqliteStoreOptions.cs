namespace PlayChat.Storage.Sqlite;

/// <summary>Settings of <see cref="SqliteChatStore"/>.</summary>
public sealed class SqliteStoreOptions
{
    /// <summary>The database file; its folder is created when missing. Default <c>data/playchat.db</c>.</summary>
    public string DatabasePath { get; set; } = Path.Combine("data", "playchat.db");

    /// <summary>Reads that may run at once, 1 to 64. Default 4. Writes run one at a time beside them.</summary>
    public int MaxReaders { get; set; } = 4;

    /// <summary>
    /// Longest wait for another program's lock on the file, 0 to 1 minute. Default 5 seconds. Then the call fails as
    /// <see cref="StorageErrorKind.Busy"/>.
    /// </summary>
    public TimeSpan BusyTimeout { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// Longest wait for a free connection, 1 millisecond to 10 minutes. Default 30 seconds. Then the call fails as
    /// <see cref="StorageErrorKind.Busy"/> and counts as an acquire timeout.
    /// </summary>
    public TimeSpan AcquireTimeout { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// Whether each commit waits until the disk has it, so that not even a power cut undoes one (synchronous = FULL). Default false:
    /// a killed program loses no commit, a power cut may undo the last ones.
    /// </summary>
    public bool FlushesCommits { get; set; }

    /// <summary>Checks every value.</summary>
    /// <exception cref="StorageException">A value is out of range; the message names it, its value and the range.</exception>
    public void Validate()
    {
        if (string.IsNullOrWhiteSpace(DatabasePath))
        {
            throw Invalid($"{nameof(DatabasePath)} is empty: name the database file, such as data/playchat.db.");
        }
        if (MaxReaders is < 1 or > 64)
        {
            throw Invalid($"{nameof(MaxReaders)} is {MaxReaders}: it must be from 1 to 64.");
        }
        if (BusyTimeout < TimeSpan.Zero || BusyTimeout > TimeSpan.FromMinutes(1))
        {
            throw Invalid($"{nameof(BusyTimeout)} is {BusyTimeout}: it must be from 0 to 1 minute.");
        }
        if (AcquireTimeout < TimeSpan.FromMilliseconds(1) || AcquireTimeout > TimeSpan.FromMinutes(10))
        {
            throw Invalid($"{nameof(AcquireTimeout)} is {AcquireTimeout}: it must be from 1 millisecond to 10 minutes.");
        }
    }

    internal SqliteStoreOptions Copy() => (SqliteStoreOptions)MemberwiseClone();

    private static StorageException Invalid(string message) => new(StorageErrorKind.InvalidOption, message);
}
