namespace PlayChat.Cluster.RabbitMq;

/// <summary>The two connections of a session, one to write and one to read, and what ends them.</summary>
internal sealed class BrokerLink : IAsyncDisposable
{
    private static readonly TimeSpan s_longestClose = TimeSpan.FromSeconds(1);
    private static readonly CreateChannelOptions s_confirming =
        new(publisherConfirmationsEnabled: true, publisherConfirmationTrackingEnabled: false);

    private readonly TaskCompletionSource _broken = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private IConnection? _writing; // OpenAsync sets them
    private IConnection? _reading;

    private BrokerLink()
    {
    }

    /// <summary>Faults with the reason when a connection, a channel or a reader ends by itself.</summary>
    public Task Broken => _broken.Task;

    /// <summary>Connects to any of the brokers.</summary>
    public static async Task<BrokerLink> OpenAsync(BrokerAddress address, CancellationToken cancellationToken)
    {
        var link = new BrokerLink();
        try
        {
            link._writing = await address.ConnectAsync("PlayChat, writing", cancellationToken).ConfigureAwait(false);
            link.Watch(link._writing);
            link._reading = await address.ConnectAsync("PlayChat, reading", cancellationToken).ConfigureAwait(false);
            link.Watch(link._reading);
            return link;
        }
        catch
        {
            await link.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Opens a channel of the writing connection, with confirmations.</summary>
    public Task<IChannel> OpenWriterAsync(CancellationToken cancellationToken) => OpenAsync(_writing!, s_confirming, cancellationToken);

    public Task<IChannel> OpenReaderAsync(CancellationToken cancellationToken) => OpenAsync(_reading!, null, cancellationToken);

    /// <summary>Tells that the link is of no further use.</summary>
    public void Break(string reason) => _broken.TrySetException(new IOException(reason));

    /// <summary>Ends both connections. Only when they are gone may their unconfirmed batches be sent again.</summary>
    public async ValueTask DisposeAsync()
    {
        await DropAsync(_writing).ConfigureAwait(false);
        await DropAsync(_reading).ConfigureAwait(false);
        _broken.TrySetCanceled();
        _ = _broken.Task.Exception; // observed: a session that ended before it watched this task is not an unhandled fault
    }

    private static async Task DropAsync(IConnection? connection)
    {
        if (connection is not null)
        {
            await connection.AbortAsync(s_longestClose).ConfigureAwait(false); // throws nothing
            await connection.DisposeAsync().AsTask().WaitAsync(s_longestClose).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    private async Task<IChannel> OpenAsync(IConnection connection, CreateChannelOptions? options, CancellationToken cancellationToken)
    {
        IChannel channel = await connection.CreateChannelAsync(options, cancellationToken).ConfigureAwait(false);
        channel.ChannelShutdownAsync += (_, reason) =>
        {
            // What the node itself closes is a subscription that ends.
            if (reason.Initiator != ShutdownInitiator.Application)
            {
                Break(reason.ReplyText);
            }

            return Task.CompletedTask;
        };
        channel.CallbackExceptionAsync += (_, fault) =>
        {
            Break(fault.Exception.Message);
            return Task.CompletedTask;
        };
        return channel;
    }

    private void Watch(IConnection connection)
    {
        connection.ConnectionShutdownAsync += (_, reason) =>
        {
            Break(reason.ReplyText);
            return Task.CompletedTask;
        };
        connection.CallbackExceptionAsync += (_, fault) =>
        {
            Break(fault.Exception.Message);
            return Task.CompletedTask;
        };
    }
}
