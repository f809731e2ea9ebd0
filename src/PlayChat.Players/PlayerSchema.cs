using System.Data.Common;
using Dapper;
using PlayChat.Storage.Sql;
using PlayChat.Storage.Sqlite;

namespace PlayChat.Players;

/// <summary>The tables of players beside those of the chat: they have a version of their own, and the database's lock.</summary>
/// <param name="database">The schema of the chat in a database of this kind.</param>
/// <param name="sql">The statements.</param>
internal sealed class PlayerSchema(ISchema database, PlayerSql sql) : ISchema
{
    public IReadOnlyList<string> Migrations => sql.Migrations;

    public async Task LockAsync(DbConnection connection, DbTransaction transaction)
    {
        await database.LockAsync(connection, transaction).ConfigureAwait(false);
        if (database is SqliteSchema)
        {
            // Refuses the file of another program, and marks a new one, so that a chat server accepts it later.
            int version = await database.ReadVersionAsync(connection, transaction).ConfigureAwait(false);
            await database.WriteVersionAsync(connection, transaction, version).ConfigureAwait(false);
        }
    }

    public async Task<int> ReadVersionAsync(DbConnection connection, DbTransaction transaction) =>
        await connection.ExecuteScalarAsync<int>(sql.FindVersionTable, transaction: transaction).ConfigureAwait(false) == 1
            ? await connection.ExecuteScalarAsync<int>(sql.ReadVersion, transaction: transaction).ConfigureAwait(false)
            : 0;

    public Task WriteVersionAsync(DbConnection connection, DbTransaction transaction, int version) =>
        connection.ExecuteAsync(sql.WriteVersion, new { version }, transaction);

    public StorageException Newer(int found, int known) => database.Newer(found, known);
}
