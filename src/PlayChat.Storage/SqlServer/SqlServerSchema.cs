namespace PlayChat.Storage.SqlServer;

/// <summary>The schema's version stands in a table of its own; an application lock of the transaction lets one program migrate at a
/// time.</summary>
internal sealed class SqlServerSchema(string location) : ISchema
{
    public IReadOnlyList<string> Migrations => SqlServerSql.Migrations;

    public async Task LockAsync(DbConnection connection, DbTransaction transaction) =>
        ThrowIfNotLocked(await connection.ExecuteScalarAsync<int>(SqlServerSql.LockSchema, transaction: transaction).ConfigureAwait(false));

    public async Task<int> ReadVersionAsync(DbConnection connection, DbTransaction transaction) =>
        await connection.ExecuteScalarAsync<int>(SqlServerSql.FindVersionTable, transaction: transaction).ConfigureAwait(false) == 1
            ? await connection.ExecuteScalarAsync<int>(SqlServerSql.ReadVersion, transaction: transaction).ConfigureAwait(false)
            : 0;

    public Task WriteVersionAsync(DbConnection connection, DbTransaction transaction, int version) =>
        connection.ExecuteAsync(SqlServerSql.WriteVersion, new { version }, transaction);

    public StorageException Newer(int found, int known) => ServerErrors.Newer(location, found, known);

    /// <summary>The procedure reports by its result alone: it throws nothing when it times out.</summary>
    internal void ThrowIfNotLocked(int result)
    {
        if (result < 0)
        {
            throw new StorageException(
                StorageErrorKind.Busy,
                $"Another program is changing the schema of the {location} (sp_getapplock: {result}): start again when it is done.");
        }
    }
}
