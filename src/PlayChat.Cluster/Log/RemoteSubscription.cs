namespace PlayChat.Cluster.Log;

/// <summary>A reader of a log that connections reach. It ignores what an earlier connection still delivers.</summary>
public class RemoteSubscription : ShardSubscription
{
    private readonly SemaphoreSlim _turn = new(1); // held during calls of the handler
    private object? _connection; // written under _turn

    /// <summary>Whether the subscription reads through a connection. For the loop that attaches subscriptions.</summary>
    /// <param name="connection">What <see cref="AttachAsync"/> got.</param>
    public bool IsAttachedTo(object connection) => Volatile.Read(ref _connection) == connection;

    /// <summary>Begins to read through a connection, for the first time or again.</summary>
    /// <param name="connection">Any object that stands for the connection.</param>
    /// <returns>From where; <see langword="null"/> when the subscription has ended.</returns>
    public async ValueTask<SubscribeFrom?> AttachAsync(object connection)
    {
        await _turn.WaitAsync().ConfigureAwait(false);
        try
        {
            if (IsEnded)
            {
                return null;
            }

            Volatile.Write(ref _connection, connection);
            return Reader.Attach();
        }
        finally
        {
            _turn.Release();
        }
    }

    /// <summary>Gives a batch to the reader, unless the subscription has ended or reads through another connection.</summary>
    /// <param name="connection">The connection that delivers the batch.</param>
    /// <param name="offset">The batch's place in the log.</param>
    /// <param name="batch">The batch; used until the task completes.</param>
    /// <returns>Whether the connection is still the subscription's.</returns>
    public async Task<bool> ReadAsync(object connection, long offset, ReadOnlyMemory<byte> batch)
    {
        await _turn.WaitAsync().ConfigureAwait(false);
        try
        {
            if (IsEnded || _connection != connection)
            {
                return false;
            }

            Reader.Read(offset, batch);
            return true;
        }
        finally
        {
            _turn.Release();
        }
    }

    /// <inheritdoc/>
    protected override async ValueTask EndAsync()
    {
        await _turn.WaitAsync().ConfigureAwait(false);
        _turn.Release();
    }
}
