namespace PlayChat.Storage.Postgres;

/// <summary>The schema's version stands in a table of its own; an advisory lock of the transaction lets one program migrate at a
/// time.</summary>
internal sealed class PostgresSchema(string location) : ISchema
{
    public IReadOnlyList<string> Migrations => PostgresSql.Migrations;

    public async Task LockAsync(DbConnection connection, DbTransaction transaction)
    {
        string encoding = await connection.ExecuteScalarAsync<string>(PostgresSql.ReadEncoding, transaction: transaction)
            .ConfigureAwait(false) ?? "";
        if (encoding is not ("UTF8" or "SQL_ASCII")) // SQL_ASCII stores every byte as it comes
        {
            throw ServerErrors.Encoding(location, encoding);
        }

        await connection.ExecuteAsync(PostgresSql.LockSchema, transaction: transaction).ConfigureAwait(false);
    }

    public async Task<int> ReadVersionAsync(DbConnection connection, DbTransaction transaction) =>
        await connection.ExecuteScalarAsync<bool>(PostgresSql.FindVersionTable, transaction: transaction).ConfigureAwait(false)
            ? await connection.ExecuteScalarAsync<int>(PostgresSql.ReadVersion, transaction: transaction).ConfigureAwait(false)
            : 0;

    public Task WriteVersionAsync(DbConnection connection, DbTransaction transaction, int version) =>
        connection.ExecuteAsync(PostgresSql.WriteVersion, new { version }, transaction);

    public StorageException Newer(int found, int known) => ServerErrors.Newer(location, found, known);
}
