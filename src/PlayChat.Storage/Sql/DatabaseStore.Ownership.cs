using System.Data.Common;
using Dapper;

namespace PlayChat.Storage.Sql;

public abstract partial class DatabaseStore
{
    private DatabaseOwnership? _ownership;

    /// <inheritdoc/>
    public Task<StorageException> OwnershipLost => Fence.Lost;

    /// <summary>Checks that the database is still this store's, in each transaction that writes rooms or messages.</summary>
    private protected OwnerFence Fence { get; }

    /// <inheritdoc/>
    public async Task ClaimAsync(DatabaseOwner owner, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(owner);
        ThrowIfNotInitialized();
        if (_ownership is not null)
        {
            throw new InvalidOperationException("The database is claimed already.");
        }

        _ownership = new DatabaseOwnership(CreateOwnerLock(), Fence, FindOwnerAsync, WriteOwnerAsync, OwnedBy);
        await _ownership.ClaimAsync(owner, cancellationToken).ConfigureAwait(false);
        try
        {
            await RunAsync(
                StoreOperation.Migrate,
                async connection =>
                {
                    await CheckAsync(connection).ConfigureAwait(false);
                    return true;
                },
                cancellationToken).ConfigureAwait(false);
        }
        catch
        {
            await ReleaseAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <inheritdoc/>
    public async Task ReleaseAsync()
    {
        if (Interlocked.Exchange(ref _ownership, null) is { } ownership)
        {
            await ownership.DisposeAsync().ConfigureAwait(false);
        }
    }

    /// <summary>Makes the lock that lets one server at a time own the database.</summary>
    private protected abstract IOwnerLock CreateOwnerLock();

    /// <summary>Makes the exception for a database that another server owns.</summary>
    private protected abstract StorageException OwnedBy(DatabaseOwner? owner);

    private Task<DatabaseOwner?> FindOwnerAsync(CancellationToken cancellationToken) => RunAsync(
        StoreOperation.ReadRoom,
        async connection =>
            (await connection.QuerySingleOrDefaultAsync<OwnerRow>(_sql.ReadOwner).ConfigureAwait(false))?.ToOwner(),
        cancellationToken);

    private Task<int> WriteOwnerAsync(DatabaseOwner owner, CancellationToken cancellationToken)
    {
        var row = new { id = owner.Id, machine = owner.Machine, processId = owner.ProcessId, startedAt = new StoredTime(owner.StartedAt) };
        return RunAsync(StoreOperation.WriteRoom, connection => connection.ExecuteAsync(_sql.WriteOwner, row), cancellationToken);
    }

    /// <returns>How many rows were changed.</returns>
    private async Task<int> WriteFencedAsync(DbConnection connection, string sql, object values)
    {
        if (!Fence.IsSet)
        {
            return await connection.ExecuteAsync(sql, values).ConfigureAwait(false);
        }

        return await Transactions.RunAsync(connection.BeginTransactionAsync(), async transaction =>
        {
            await Fence.CheckAsync(connection, transaction).ConfigureAwait(false);
            return await connection.ExecuteAsync(sql, values, transaction).ConfigureAwait(false);
        }).ConfigureAwait(false);
    }
}
