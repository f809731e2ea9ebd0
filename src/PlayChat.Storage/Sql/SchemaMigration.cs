namespace PlayChat.Storage.Sql;

/// <summary>Creates the schema and brings an older one up to date: in one transaction, under the provider's lock.</summary>
/// <remarks>Of programs that start at once one does the work; the others wait, and then find it done.</remarks>
internal static class SchemaMigration
{
    /// <exception cref="StorageException">The database is another program's, or newer than this one; it is left as it was.</exception>
    public static Task RunAsync(DbConnection connection, ISchema schema) =>
        Transactions.RunAsync(connection.BeginTransactionAsync(), async transaction =>
        {
            await schema.LockAsync(connection, transaction).ConfigureAwait(false);
            int found = await schema.ReadVersionAsync(connection, transaction).ConfigureAwait(false);
            int known = schema.Migrations.Count;
            if (found > known)
            {
                throw schema.Newer(found, known);
            }

            if (found < known)
            {
                foreach (string step in schema.Migrations.Skip(found))
                {
                    await connection.ExecuteAsync(step, transaction: transaction).ConfigureAwait(false);
                }

                await schema.WriteVersionAsync(connection, transaction, known).ConfigureAwait(false);
            }

            return known - found;
        });
}
