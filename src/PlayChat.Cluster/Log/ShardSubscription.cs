using System.Security.Cryptography;

namespace PlayChat.Cluster.Log;

/// <summary>One reader of one shard. An engine derives its own from it.</summary>
/// <remarks>Thread-safe, except <see cref="Reader"/>.</remarks>
public abstract class ShardSubscription : IAsyncDisposable
{
    private readonly TaskCompletionSource _caughtUp = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private RoomBackplane _owner = null!; // Begin sets it, before the engine sees the subscription
    private int _isEnded;

    /// <summary>The shard.</summary>
    public int Shard { get; private set; }

    /// <summary>What the engine gives the batches of the shard to, one at a time.</summary>
    public ShardReader Reader { get; private set; } = null!;

    /// <summary>The number in this subscription's greeting. The subscription has caught up when it reads the greeting back.</summary>
    public ulong Nonce { get; } = BitConverter.ToUInt64(RandomNumberGenerator.GetBytes(sizeof(ulong)));

    /// <summary>Whether the subscription has ended, so the handler gets no further call.</summary>
    public bool IsEnded => Volatile.Read(ref _isEnded) != 0;

    /// <summary>Completes when the subscription has seen what the log held when it began; faults when it ends before.</summary>
    public Task CaughtUp => _caughtUp.Task;

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        GC.SuppressFinalize(this);
        if (Interlocked.Exchange(ref _isEnded, 1) == 0)
        {
            _owner.Forget(this);
            _caughtUp.TrySetException(new ObjectDisposedException(_owner.GetType().Name));
            _ = _caughtUp.Task.Exception; // observed: a subscription that no caller awaits is not an unhandled fault
        }

        await EndAsync().ConfigureAwait(false);
    }

    internal void Begin(RoomBackplane owner, int shard, ShardReader reader)
    {
        _owner = owner;
        Shard = shard;
        Reader = reader;
    }

    internal void OnHello(ulong token)
    {
        if (token == Nonce)
        {
            _caughtUp.TrySetResult();
        }
    }

    /// <summary>Ends reading, and completes when no call of the handler runs. Each call of <see cref="DisposeAsync"/> calls it.</summary>
    protected abstract ValueTask EndAsync();
}
