using Microsoft.Data.Sqlite;
using static SQLitePCL.raw;

namespace PlayChat.Storage.Sqlite;

/// <summary>Turns what the driver and the file system report into <see cref="StorageException"/>: here and nowhere else.</summary>
internal static class SqliteErrors
{
    /// <summary>Whether the connection that reported the error is as good as before.</summary>
    public static bool KeepsConnection(SqliteException exception) =>
        exception.SqliteErrorCode is SQLITE_BUSY or SQLITE_LOCKED or SQLITE_INTERRUPT or SQLITE_FULL;

    /// <summary>Whether SQLite finds a file of this program damaged, or does not find its tables.</summary>
    public static bool IsDamage(SqliteException exception) => exception.SqliteErrorCode is SQLITE_CORRUPT or SQLITE_ERROR;

    /// <summary>Whether another connection has the lock.</summary>
    public static bool IsLocked(SqliteException exception) => exception.SqliteErrorCode is SQLITE_BUSY or SQLITE_LOCKED;

    /// <summary>Whether the file begins like no SQLite database.</summary>
    public static bool IsNotADatabase(SqliteException exception) => exception.SqliteErrorCode == SQLITE_NOTADB;

    public static StorageException Translate(SqliteException exception, string path) => exception.SqliteErrorCode switch
    {
        SQLITE_BUSY or SQLITE_LOCKED => new(
            StorageErrorKind.Busy,
            $"The database '{path}' is locked by another program: close that program or try again.",
            exception),
        SQLITE_INTERRUPT => new(StorageErrorKind.Busy, $"A search in the database '{path}' took too long, and was ended.", exception),
        SQLITE_READONLY or SQLITE_CANTOPEN => NotWritable(path, exception),
        SQLITE_CORRUPT => Damaged(path, exception.Message, exception),
        SQLITE_NOTADB => Foreign(path, exception),
        // Other constraints, such as what a trigger raises, are the table's fault and pass when it is mended.
        _ when exception.SqliteErrorCode == SQLITE_TOOBIG || exception.SqliteExtendedErrorCode == SQLITE_CONSTRAINT_CHECK => new(
            StorageErrorKind.RefusedValue, $"The database '{path}' does not take a value: {exception.Message}", exception),
        SQLITE_FULL => new(
            StorageErrorKind.DiskFull,
            $"There is no space left for the database '{path}': free some on its disk.",
            exception),
        _ => new(StorageErrorKind.Failed, $"The database '{path}' failed: {exception.Message}", exception),
    };

    public static StorageException NotWritable(string path, Exception? exception) => new(
        StorageErrorKind.NotWritable,
        $"Creating or writing the database '{path}' failed: give this account write access to the file and its folder, or choose another "
            + $"path.",
        exception);

    public static StorageException Damaged(string path, string finding, Exception? exception = null) => new(
        StorageErrorKind.NotADatabase,
        $"The database '{path}' is damaged: restore it from a backup, or move it away to start with an empty one. SQLite says: {finding}",
        exception);

    public static StorageException Foreign(string path, Exception? exception = null) => new(
        StorageErrorKind.NotADatabase,
        $"The file '{path}' is not a PlayChat database: choose another path, or move the file away.",
        exception);

    public static StorageException Newer(string path, long found, long known) => new(
        StorageErrorKind.NewerSchema,
        $"The database '{path}' has schema version {found}, this program knows versions up to {known}: start a newer version of the "
            + $"program, or choose another path.");

    public static StorageException Owned(string path, DatabaseOwner? owner) => new(
        StorageErrorKind.Owned,
        $"The database '{path}' belongs to another server ({owner?.ToString() ?? "of unknown name"}): stop that server, or start this one "
            + $"in another folder and with another --port, or give it a database of its own (Storage:Path).");

    public static StorageException NoWriteAheadLog(string path, string mode) => new(
        StorageErrorKind.NotWritable,
        $"The database '{path}' lies where SQLite cannot keep a write-ahead log (its journal mode stayed '{mode}'): move it to a local "
            + $"disk.");

    public static StorageException AcquireTimeout(string path, TimeSpan timeout) => new(
        StorageErrorKind.Busy,
        $"No connection to the database '{path}' came free within {timeout.TotalSeconds:0.###} s: the disk is slow or the load too high.");
}
