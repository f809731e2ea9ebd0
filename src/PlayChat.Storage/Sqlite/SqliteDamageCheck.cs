using Microsoft.Data.Sqlite;
using SQLitePCL;

namespace PlayChat.Storage.Sqlite;

/// <summary>Looks for damage in the whole database file, such as pages that a broken disk has overwritten.</summary>
/// <remarks>
/// <c>PRAGMA quick_check</c> reads every page, so the check ends after a time: a large database must not delay the start. What it has read
/// by then is whole, and of the rest nothing is known.
/// </remarks>
internal static class SqliteDamageCheck
{
    /// <summary>Checks the file.</summary>
    /// <param name="connection">Open.</param>
    /// <param name="path">The file, for the message.</param>
    /// <param name="limit">How long the check may take.</param>
    /// <exception cref="StorageException">The file is damaged.</exception>
    /// <exception cref="SqliteException">The same, where SQLite cannot even read on.</exception>
    public static void Run(SqliteConnection connection, string path, TimeSpan limit)
    {
        using var time = new SqliteTimeLimit(connection, limit);
        try
        {
            using SqliteCommand check = connection.CreateCommand();
            check.CommandText = "PRAGMA quick_check(1)";
            if (check.ExecuteScalar() is string found && found != "ok")
            {
                throw SqliteErrors.Damaged(path, found.Split('\n')[^1]);
            }
        }
        catch (SqliteException exception) when (exception.SqliteErrorCode == raw.SQLITE_INTERRUPT)
        {
            // The time is over.
        }
    }
}
