namespace PlayChat.Storage.Sqlite;

/// <summary>The schema's version stands in the file's header, beside a mark that it is this program's.</summary>
internal sealed class SqliteSchema(string path) : ISchema
{
    public IReadOnlyList<string> Migrations => SqliteSql.Migrations;

    /// <summary>Turns the write-ahead log on. Another program's file is left as it is.</summary>
    public async Task UseWriteAheadLogAsync(DbConnection connection)
    {
        // In one transaction, so that a program that creates the schema meanwhile is seen wholly or not at all.
        DbTransaction snapshot = ((Microsoft.Data.Sqlite.SqliteConnection)connection).BeginTransaction(deferred: true);
        await using (snapshot.ConfigureAwait(false))
        {
            int found = await ReadVersionAsync(connection, snapshot).ConfigureAwait(false);
            if (found > Migrations.Count)
            {
                throw Newer(found, Migrations.Count);
            }
        }
        string mode = await connection.ExecuteScalarAsync<string>(SqliteSql.UseWriteAheadLog).ConfigureAwait(false) ?? "";
        if (!mode.Equals("wal", StringComparison.OrdinalIgnoreCase))
        {
            throw SqliteErrors.NoWriteAheadLog(path, mode);
        }
    }

    // The transaction is an immediate one: it has the write lock already.
    public Task LockAsync(DbConnection connection, DbTransaction transaction) => Task.CompletedTask;

    public async Task<int> ReadVersionAsync(DbConnection connection, DbTransaction transaction)
    {
        int version = await connection.ExecuteScalarAsync<int>(SqliteSql.ReadSchemaVersion, transaction: transaction).ConfigureAwait(false);
        int application = await connection.ExecuteScalarAsync<int>(SqliteSql.ReadApplicationId, transaction: transaction)
            .ConfigureAwait(false);
        if (application == SqliteSql.ApplicationId)
        {
            return version;
        }
        bool isEmpty = application == 0 && version == 0
            && await connection.ExecuteScalarAsync<long>(SqliteSql.CountTables, transaction: transaction).ConfigureAwait(false) == 0;
        return isEmpty ? 0 : throw SqliteErrors.Foreign(path);
    }

    public Task WriteVersionAsync(DbConnection connection, DbTransaction transaction, int version) =>
        connection.ExecuteAsync(SqliteSql.MarkSchema(version), transaction: transaction);

    public StorageException Newer(int found, int known) => SqliteErrors.Newer(path, found, known);
}
