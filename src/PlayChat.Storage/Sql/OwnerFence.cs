namespace PlayChat.Storage.Sql;

/// <summary>Keeps a store from writing rooms and messages when another server has taken the database. Thread-safe.</summary>
/// <remarks>
/// Each write reads the owner's row in its own transaction, with a shared lock on it. A server that takes the database changes the row, so
/// it waits for the writes that have begun, and the former owner's later writes find another id.
/// </remarks>
/// <param name="readOwnerId">The statement that reads and locks the row.</param>
/// <param name="refused">Makes the exception for a database that another server owns.</param>
internal sealed class OwnerFence(string readOwnerId, Func<DatabaseOwner?, StorageException> refused)
{
    private readonly TaskCompletionSource<StorageException> _lost = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private volatile string? _ownerId;

    /// <summary>Completes when another server has taken the database.</summary>
    public Task<StorageException> Lost => _lost.Task;

    /// <summary>Checks all further writes against this owner.</summary>
    public void Set(DatabaseOwner owner) => _ownerId = owner.Id;

    /// <summary>Reports the database lost if its row names another owner.</summary>
    public void Compare(DatabaseOwner? owner)
    {
        if (owner?.Id != _ownerId)
        {
            _lost.TrySetResult(refused(owner));
        }
    }

    /// <summary>Checks that the database is this store's until the transaction ends.</summary>
    /// <exception cref="StorageException">Another server owns it.</exception>
    public async Task CheckAsync(DbConnection connection, DbTransaction? transaction)
    {
        if (_ownerId is not { } own)
        {
            return;
        }

        string? found = await connection.ExecuteScalarAsync<string>(readOwnerId, transaction: transaction).ConfigureAwait(false);
        if (found != own)
        {
            StorageException error = refused(null);
            _lost.TrySetResult(error);
            throw error;
        }
    }

    /// <summary>Writes one statement, in a transaction with its check; a store that has not claimed its database writes without.</summary>
    /// <returns>How many rows were changed.</returns>
    /// <exception cref="StorageException">Another server owns the database.</exception>
    public async Task<int> ExecuteAsync(DbConnection connection, string sql, object values) => _ownerId is null
        ? await connection.ExecuteAsync(sql, values).ConfigureAwait(false)
        : await Transactions.RunAsync(connection.BeginTransactionAsync(), async transaction =>
        {
            await CheckAsync(connection, transaction).ConfigureAwait(false);
            return await connection.ExecuteAsync(sql, values, transaction).ConfigureAwait(false);
        }).ConfigureAwait(false);
}
