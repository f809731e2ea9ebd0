using System.Security.Cryptography;
using PlayChat.Core.Cluster;
using RabbitMQ.Client;

namespace PlayChat.Cluster.RabbitMq;

/// <summary>One reader of one shard, over any number of connections.</summary>
internal sealed class RabbitMqSubscription(int shard, Action<RabbitMqSubscription> onEnded) : IAsyncDisposable
{
    private readonly TaskCompletionSource _caughtUp = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly SemaphoreSlim _turn = new(1); // held during calls of the handler
    private IChannel? _channel; // guarded by _turn; the last one
    private bool _isEnded; // guarded by _turn

    public int Shard => shard;

    /// <summary>The number in this subscription's greeting.</summary>
    public ulong Nonce { get; } = BitConverter.ToUInt64(RandomNumberGenerator.GetBytes(sizeof(ulong)));

    public Task CaughtUp => _caughtUp.Task;

    public ShardReader Reader { get; set; } = null!; // set before a session sees the subscription

    /// <summary>The connection that this subscription is attached to; 0 for none. Used by the attaching loop only.</summary>
    public int AttachedTo { get; set; }

    public void OnHello(ulong token)
    {
        if (token == Nonce)
        {
            _caughtUp.TrySetResult();
        }
    }

    /// <summary>Begins to read through a channel. What an earlier channel still delivers is ignored from here on.</summary>
    /// <returns>From where; <see langword="null"/> when the subscription has ended.</returns>
    public async Task<SubscribeFrom?> AttachAsync(IChannel channel)
    {
        await _turn.WaitAsync().ConfigureAwait(false);
        try
        {
            if (_isEnded)
            {
                return null;
            }

            _channel = channel;
            return Reader.Attach();
        }
        finally
        {
            _turn.Release();
        }
    }

    /// <returns>Whether the channel is still the subscription's.</returns>
    public async Task<bool> ReadAsync(IChannel channel, long offset, ReadOnlyMemory<byte> batch)
    {
        await _turn.WaitAsync().ConfigureAwait(false);
        try
        {
            if (_isEnded || channel != _channel)
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

    public async ValueTask DisposeAsync()
    {
        await _turn.WaitAsync().ConfigureAwait(false);
        bool wasEnded = _isEnded;
        IChannel? channel = _channel;
        _isEnded = true;
        _turn.Release();
        if (wasEnded)
        {
            return;
        }

        onEnded(this);
        _caughtUp.TrySetException(new ObjectDisposedException(nameof(RabbitMqBackplane)));
        _ = _caughtUp.Task.Exception; // a subscription that nothing waits for is no unobserved fault
        if (channel is not null)
        {
            await channel.AbortAsync().ConfigureAwait(false);
        }
    }
}
