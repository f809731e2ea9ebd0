using System.Globalization;
using Microsoft.Data.Sqlite;

namespace PlayChat.Storage.Sqlite;

/// <summary>Opens SQLite files.</summary>
internal static class SqliteFile
{
    /// <summary>Makes a closed connection to a file, which its opening makes if it is missing.</summary>
    public static SqliteConnection Connect(string path) => new(new SqliteConnectionStringBuilder
    {
        DataSource = path,
        Pooling = false,
        DefaultTimeout = 1, // seconds to wait for the lock of another program, after SQLite's own wait; 0 would mean forever
    }.ToString());

    /// <summary>Takes a file of a bounded size for this process alone, or makes the tables in an empty one. The file of another program
    /// stays as it is.</summary>
    /// <param name="connection">Open.</param>
    /// <param name="mark">Tells the files of this kind from all others.</param>
    /// <param name="schema">The statements that make the tables, each with its semicolon.</param>
    /// <param name="maxBytes">Most that the file may grow to.</param>
    /// <param name="foreign">Makes the exception for the file of another program.</param>
    public static void PrepareOutbox(SqliteConnection connection, int mark, string schema, long maxBytes, Func<StorageException> foreign)
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
