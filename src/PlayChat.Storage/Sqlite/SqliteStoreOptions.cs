using PlayChat.Options;

namespace PlayChat.Storage.Sqlite;

/// <summary>Settings of <see cref="SqliteChatStore"/>.</summary>
/// <remarks>docs/reference/limits.md lists the defaults and ranges.</remarks>
public class SqliteStoreOptions
{
    /// <summary>The database file; its folder is created when missing. Default <c>data/playchat.db</c>.</summary>
    [Option("The SQLite database; relative to the current directory.", Allowed = "a file", Required = true)]
    public string Path { get; set; } = "data/playchat.db";

    /// <summary>The number of reads that may run at once. Writes run one at a time beside them.</summary>
    [Option("SQLite: number of reads that may run at once.", Min = 1, Max = 64)]
    public int MaxReaders { get; set; } = 4;

    /// <summary>
    /// The longest wait for another program's lock on the file. Then the call fails as <see cref="StorageErrorKind.Busy"/>.
    /// </summary>
    [Option("SQLite: longest wait for another program's lock on the database.", Min = "00:00:00", Max = "00:01:00")]
    public TimeSpan BusyTimeout { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// The longest wait for a free connection. Then the call fails as <see cref="StorageErrorKind.Busy"/> and counts as an acquire timeout.
    /// </summary>
    [Option("SQLite: longest wait for a free connection.", Min = "00:00:00.001", Max = "00:10:00")]
    public TimeSpan AcquireTimeout { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>Whether the texts of messages are indexed, so that players can search them. Default true.</summary>
    /// <remarks>A database that has no index gets it at the start, and one that has it loses it when this is false.</remarks>
    [Option(
        "Players search what was said in their rooms. SQLite and Postgres index the texts for it, which about halves how many messages "
            + "SQLite can store in a second. After a change the next start makes the index, in about 15 seconds for a million messages, or "
            + "removes it.")]
    public bool Search { get; set; } = true;

    /// <summary>
    /// Whether each commit waits until the disk has it, so that not even a power cut undoes one (synchronous = FULL). Default false:
    /// a killed program loses no commit, a power cut may undo the last ones.
    /// </summary>
    public bool FlushesCommits { get; set; }

    /// <summary>Checks every value.</summary>
    /// <exception cref="StorageException">A value is out of range; the message names it, its value and the range.</exception>
    public void Validate()
    {
        if (string.IsNullOrWhiteSpace(Path))
        {
            throw new StorageException(
                StorageErrorKind.InvalidOption, $"{nameof(Path)} is empty: name the database file, such as data/playchat.db.");
        }

        StorageOptions.Check(this);
    }

    internal SqliteStoreOptions Copy() => (SqliteStoreOptions)MemberwiseClone();
}
