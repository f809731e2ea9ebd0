namespace PlayChat.Cluster.RabbitMq;

/// <summary>One reader of one shard. It has a channel of its own in each connection.</summary>
internal sealed class RabbitMqSubscription : RemoteSubscription
{
    private volatile IChannel? _channel;

    /// <summary>Begins to read through a new channel of a link, unless the subscription has ended: then the channel is closed.</summary>
    /// <returns>From where; <see langword="null"/> when the subscription has ended.</returns>
    public async Task<SubscribeFrom?> OpenAsync(BrokerLink link, IChannel channel)
    {
        _channel = channel; // first: if the subscription ends from here on, it closes this channel
        SubscribeFrom? from = await AttachAsync(link).ConfigureAwait(false);
        if (from is null)
        {
            await channel.AbortAsync().ConfigureAwait(false);
        }

        return from;
    }

    protected override async ValueTask EndAsync()
    {
        await base.EndAsync().ConfigureAwait(false);
        if (_channel is { } channel)
        {
            await channel.AbortAsync().ConfigureAwait(false);
        }
    }
}
