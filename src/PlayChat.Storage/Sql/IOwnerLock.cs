namespace PlayChat.Storage.Sql;

/// <summary>A lock on a database that is free again when its holder's process ends, however that ends.</summary>
internal interface IOwnerLock : IAsyncDisposable
{
    /// <summary>How long a server that starts waits for the lock.</summary>
    TimeSpan Wait { get; }

    /// <summary>Takes the lock if it is free.</summary>
    /// <exception cref="StorageException">The query failed.</exception>
    Task<bool> TryTakeAsync(CancellationToken cancellationToken);

    /// <summary>Checks that the lock is still held; a lock may break with the connection that holds it.</summary>
    Task<bool> IsHeldAsync(CancellationToken cancellationToken);
}
