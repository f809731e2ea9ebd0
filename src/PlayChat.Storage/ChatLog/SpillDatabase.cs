using Microsoft.Data.Sqlite;
using PlayChat.Storage.Sqlite;

namespace PlayChat.Storage.ChatLog;

/// <summary>The outbox table in a SQLite file: one row a batch.</summary>
/// <remarks>
/// Each method is one transaction and throws <see cref="SqliteException"/>. The connection holds the file's exclusive lock until
/// <see cref="Dispose"/>. For one thread at a time.
/// </remarks>
internal sealed class SpillDatabase : IDisposable
{
    /// <summary>Marks the file as a spill file: "PLSP" in ASCII. The chat's own database has another mark.</summary>
    public const int ApplicationId = 0x504C5350;

    // A damaged row can hold values of any type, which Dapper could not map.
    private const string SelectBatch =
        "SELECT id, content, hash FROM outbox WHERE typeof(content) = 'blob' AND typeof(hash) = 'blob'";

    private const string Schema = "CREATE TABLE outbox (id INTEGER PRIMARY KEY, content BLOB NOT NULL, hash BLOB NOT NULL) STRICT;";

    private SpillDatabase(string path) => Connection = SqliteFile.Connect(path);

    /// <summary>Whether SQLite finds no fault in the file's structure, and every batch is what was written.</summary>
    public bool IsWhole =>
        Connection.ExecuteScalar<string>("PRAGMA quick_check(1)") == "ok" && ReadAll().All(static batch => batch.IsWhole);

    /// <summary>Tests make SQLite fail through it.</summary>
    internal SqliteConnection Connection { get; }

    /// <summary>Opens the file, or makes the table in an empty one. The file of another program stays as it is.</summary>
    /// <param name="path">The file.</param>
    /// <param name="maxBytes">Most that it may grow to.</param>
    /// <param name="foreign">Makes the exception for the file of another program.</param>
    public static SpillDatabase OpenOrCreate(string path, long maxBytes, Func<StorageException> foreign) => Open(path, database =>
    {
        SqliteFile.PrepareOutbox(database.Connection, ApplicationId, Schema, maxBytes, foreign);
        // Below FULL, a commit does not wait for the disk: a killed process loses none, a power cut may undo the newest. To wait would hold
        // up the queue for longer than it has space.
        database.Connection.Execute("PRAGMA synchronous = NORMAL");
    });

    /// <summary>Opens a damaged file, to read what can be read.</summary>
    public static SpillDatabase OpenDamaged(string path) => Open(path, static database =>
        // Without writable_schema nothing of a shortened file is read.
        database.Connection.Execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA writable_schema = ON"));

    /// <summary>Reads every batch, in order.</summary>
    public IEnumerable<SpillBatch> ReadAll(bool newestFirst = false) =>
        Connection.Query<SpillBatch>($"{SelectBatch} ORDER BY id {(newestFirst ? "DESC" : "ASC")}", buffered: false);

    public SpillBatch Read(long id) => Connection.QuerySingle<SpillBatch>($"{SelectBatch} AND id = @id", new { id });

    // Replaces: an insert that SQLite has reported as failed may be in the file after all.
    public void Add(SpillBatch batch) =>
        Connection.Execute("INSERT OR REPLACE INTO outbox (id, content, hash) VALUES (@Id, @Content, @Hash)", batch);

    public void DeleteBefore(long id) => Connection.Execute("DELETE FROM outbox WHERE id < @id", new { id });

    /// <summary>Closes the file. SQLite then moves its write-ahead log into the file and waits for the disk.</summary>
    public void Dispose() => Connection.Dispose();

    private static SpillDatabase Open(string path, Action<SpillDatabase> prepare)
    {
        var database = new SpillDatabase(path);
        try
        {
            database.Connection.Open();
            prepare(database);
            return database;
        }
        catch
        {
            database.Dispose();
            throw;
        }
    }
}
