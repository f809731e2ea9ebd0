using System.Globalization;
using Microsoft.Data.Sqlite;

namespace PlayChat.Storage.Sqlite;

/// <summary>SQLite files of a bounded size, each for one process alone, with what waits for its receiver.</summary>
internal static class SqliteOutbox
{
    public static SqliteConnection Connect(string path) => new(new SqliteConnectionStringBuilder
    {
        DataSource = path,
        Pooling = false,
        DefaultTimeout = 1, // seconds to wait for the lock of another program; 0 would mean forever
    }.ToString());

    /// <summary>Takes a file for this process, or makes the tables in an empty one. The file of another program stays as it is.</summary>
    /// <param name="connection">Open.</param>
    /// <param name="mark">Tells the files of this kind from all others.</param>
    /// <param name="schema">The statements that make the tables, each with its semicolon.</param>
    /// <param name="maxBytes">Most that the file may grow to.</param>
    /// <param name="foreign">Makes the exception for the file of another program.</param>
    public static void Prepare(SqliteConnection connection, int mark, string schema, long maxBytes, Func<StorageException> foreign)
    {
        connection.Execute("PRAGMA locking_mode = EXCLUSIVE");
        long application = connection.ExecuteScalar<long>(SqliteSql.ReadApplicationId);
        bool isNew = application == 0 && connection.ExecuteScalar<long>(SqliteSql.CountTables) == 0;
        if (application != mark && !isNew)
        {
            throw foreign();
        }

        if (isNew)
        {
            // auto_vacuum gives the space of deleted rows back to the disk; SQLite takes it only before the first page is written.
            connection.Execute(
                $"""
                PRAGMA auto_vacuum = FULL;
                {SqliteSql.UseWriteAheadLog};
                BEGIN;
                PRAGMA application_id = {mark};
                {schema}
                COMMIT
                """);
        }

        long pages = maxBytes / connection.ExecuteScalar<long>("PRAGMA page_size");
        connection.Execute($"PRAGMA max_page_count = {pages.ToString(CultureInfo.InvariantCulture)}");
    }
}
