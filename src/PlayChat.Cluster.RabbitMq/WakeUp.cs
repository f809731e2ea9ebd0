using System.Threading.Channels;

namespace PlayChat.Cluster.RabbitMq;

/// <summary>Wakes one waiting loop. Any number of calls of <see cref="Set"/> before the wait ends it once.</summary>
internal sealed class WakeUp
{
    private readonly Channel<bool> _channel = Channel.CreateBounded<bool>(
        new BoundedChannelOptions(1) { FullMode = BoundedChannelFullMode.DropWrite, SingleReader = true });

    public void Set() => _channel.Writer.TryWrite(true);

    public ValueTask<bool> WaitAsync(CancellationToken cancellationToken) => _channel.Reader.ReadAsync(cancellationToken);
}
