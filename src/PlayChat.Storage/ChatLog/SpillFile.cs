using System.Buffers.Binary;
using System.Globalization;
using Microsoft.Data.Sqlite;
using Microsoft.Extensions.Logging;
using PlayChat.Storage.Sqlite;

namespace PlayChat.Storage.ChatLog;

/// <summary>Opens the spill file for this process alone. Moves a damaged one aside and keeps what can be read of it.</summary>
internal static class SpillFile
{
    private const int ApplicationIdOffset = 68; // https://www.sqlite.org/fileformat.html#the_database_header

    /// <exception cref="StorageException">Opening the file failed, or it is not a spill file; the file is unchanged.</exception>
    public static SpillDatabase Open(string path, long maxBytes, ILogger logger)
    {
        try
        {
            PrivateFolder.Create(Path.GetDirectoryName(path)!);
            PrivateFolder.CreateFile(path);
            return TryOpenWhole(path, maxBytes) ?? Replace(path, maxBytes, logger);
        }
        catch (SqliteException exception) when (SqliteErrors.IsLocked(exception))
        {
            throw new StorageException(
                StorageErrorKind.Busy,
                $"Another server has the chat log's spill file '{path}' open: stop that server, or start this one in another folder or "
                    + "with a file of its own (ChatLog:SpillFile).",
                exception);
        }
        catch (SqliteException exception)
        {
            throw CannotOpen(SqliteErrors.IsNotADatabase(exception) ? Foreign(path) : SqliteErrors.Translate(exception, path));
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw CannotOpen(SqliteErrors.NotWritable(path, exception));
        }
    }

    /// <returns>Null when the file is a damaged spill file.</returns>
    private static SpillDatabase? TryOpenWhole(string path, long maxBytes)
    {
        SpillDatabase? database = null;
        try
        {
            database = OpenOrCreate(path, maxBytes);
            if (database.IsWhole)
            {
                return database;
            }
        }
        catch (Exception exception)
        {
            database?.Dispose();
            if (exception is SqliteException fault && SqliteErrors.IsDamage(fault) && HasMark(path))
            {
                return null;
            }

            throw;
        }

        database.Dispose();
        return null;
    }

    private static SpillDatabase OpenOrCreate(string path, long maxBytes) =>
        SpillDatabase.OpenOrCreate(path, maxBytes, () => CannotOpen(Foreign(path)));

    private static SpillDatabase Replace(string path, long maxBytes, ILogger logger)
    {
        string time = TimeProvider.System.GetUtcNow().ToString("yyyyMMdd'T'HHmmssfff'Z'", CultureInfo.InvariantCulture);
        string copy = $"{path}.damaged-{time}";
        // The log first: SQLite deletes one that it finds beside a new file.
        if (File.Exists($"{path}-wal"))
        {
            File.Move($"{path}-wal", $"{copy}-wal");
        }

        File.Move(path, copy);
        StorageLog.SpillDamaged(logger, path, copy); // before the rest, so that a kill from here on does not hide the copy
        PrivateFolder.CreateFile(path);
        SpillDatabase replacement = OpenOrCreate(path, maxBytes);
        try
        {
            // A scan ends at the first page that SQLite cannot read. With one scan from each side, that page costs only the batches on it.
            using SpillDatabase damaged = SpillDatabase.OpenDamaged(copy);
            CopyWhole(damaged, newestFirst: false, replacement);
            CopyWhole(damaged, newestFirst: true, replacement);
            return replacement;
        }
        catch
        {
            replacement.Dispose();
            throw;
        }
    }

    private static void CopyWhole(SpillDatabase damaged, bool newestFirst, SpillDatabase replacement)
    {
        try
        {
            foreach (SpillBatch batch in damaged.ReadAll(newestFirst).Where(static batch => batch.IsWhole))
            {
                replacement.Add(batch);
            }
        }
        catch (SqliteException exception) when (SqliteErrors.IsDamage(exception))
        {
            // The end of this scan. The copy keeps the rest, and the log has named the copy.
        }
    }

    private static bool HasMark(string path)
    {
        byte[] head = new byte[ApplicationIdOffset + sizeof(int)];
        using FileStream file = File.OpenRead(path);
        _ = file.ReadAtLeast(head, head.Length, throwOnEndOfStream: false); // what a shorter file lacks stays 0
        return BinaryPrimitives.ReadInt32BigEndian(head.AsSpan(ApplicationIdOffset)) == SpillDatabase.ApplicationId;
    }

    private static StorageException CannotOpen(StorageException cause) =>
        new(cause.Kind, $"Opening the chat log's spill file failed. {cause.Message}", cause);

    private static StorageException Foreign(string path) => new(
        StorageErrorKind.NotADatabase, $"The file '{path}' is not a spill file: choose another path, or move the file away.");
}
