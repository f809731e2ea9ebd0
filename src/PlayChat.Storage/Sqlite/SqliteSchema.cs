using Dapper;
using Microsoft.Data.Sqlite;

namespace PlayChat.Storage.Sqlite;

/// <summary>Creates the schema and brings an older one up to date.</summary>
internal static class SqliteSchema
{
    /// <exception cref="StorageException">The file is another program's, or newer than this program.</exception>
    public static void Migrate(SqliteConnection connection, string path)
    {
        // Before the journal mode is touched: another program's file stays as it is. In one transaction, so that a program
        // that creates the schema meanwhile is seen wholly or not at all.
        using (SqliteTransaction snapshot = connection.BeginTransaction(deferred: true))
        {
            Check(connection, path, snapshot);
        }
        string mode = connection.ExecuteScalar<string>(SqliteSql.UseWriteAheadLog) ?? "";
        if (!mode.Equals("wal", StringComparison.OrdinalIgnoreCase))
        {
            throw SqliteErrors.NoWriteAheadLog(path, mode);
        }
        // An immediate transaction takes the write lock first, so of two programs that start at once the second waits
        // and then finds the work done.
        using SqliteTransaction transaction = connection.BeginTransaction(deferred: false);
        long version = Check(connection, path, transaction);
        if (version == SqliteSql.Migrations.Count)
        {
            return;
        }
        for (int step = (int)version; step < SqliteSql.Migrations.Count; step++)
        {
            connection.Execute(SqliteSql.Migrations[step], transaction: transaction);
        }
        connection.Execute(SqliteSql.MarkSchema(SqliteSql.Migrations.Count), transaction: transaction);
        transaction.Commit();
    }

    private static long Check(SqliteConnection connection, string path, SqliteTransaction transaction)
    {
        long version = connection.ExecuteScalar<long>(SqliteSql.ReadSchemaVersion, transaction: transaction);
        long application = connection.ExecuteScalar<long>(SqliteSql.ReadApplicationId, transaction: transaction);
        if (application != SqliteSql.ApplicationId)
        {
            bool isEmpty = application == 0 && version == 0 && connection.ExecuteScalar<long>(SqliteSql.CountTables, transaction: transaction) == 0;
            return isEmpty ? 0 : throw SqliteErrors.Foreign(path);
        }
        return version <= SqliteSql.Migrations.Count ? version : throw SqliteErrors.Newer(path, version, SqliteSql.Migrations.Count);
    }
}
