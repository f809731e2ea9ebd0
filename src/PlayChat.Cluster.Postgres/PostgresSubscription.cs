using System.Security.Cryptography;
using PlayChat.Core.Cluster;

namespace PlayChat.Cluster.Postgres;

/// <summary>One reader of one shard. The read loop of the backplane drives it.</summary>
internal sealed class PostgresSubscription(int shard, Action<PostgresSubscription> onEnded) : IAsyncDisposable
{
    private readonly TaskCompletionSource _caughtUp = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly SemaphoreSlim _turn = new(1); // held during calls of the handler
    private bool _isEnded; // guarded by _turn

    public int Shard => shard;

    /// <summary>The number in this subscription's greeting.</summary>
    public ulong Nonce { get; } = BitConverter.ToUInt64(RandomNumberGenerator.GetBytes(sizeof(ulong)));

    public Task CaughtUp => _caughtUp.Task;

    public ShardReader Reader { get; set; } = null!; // set before the read loop sees the subscription

    /// <summary>The connection that this subscription is attached to; 0 for none.</summary>
    public int AttachedTo { get; set; }

    /// <summary>The number of the last batch that was read.</summary>
    public long After { get; set; }

    public void OnHello(ulong token)
    {
        if (token == Nonce)
        {
            _caughtUp.TrySetResult();
        }
    }

    public async Task ReadAsync(long sequence, byte[] batch)
    {
        await _turn.WaitAsync().ConfigureAwait(false);
        try
        {
            if (!_isEnded)
            {
                Reader.Read(sequence, batch);
                After = sequence;
            }
        }
        finally
        {
            _turn.Release();
        }
    }

    public async ValueTask DisposeAsync()
    {
        await _turn.WaitAsync().ConfigureAwait(false);
        bool wasEnded = _isEnded;
        _isEnded = true;
        _turn.Release();
        if (!wasEnded)
        {
            onEnded(this);
            _caughtUp.TrySetException(new ObjectDisposedException(nameof(PostgresBackplane)));
            _ = _caughtUp.Task.Exception; // a subscription that nothing waits for is no unobserved fault
        }
    }
}
