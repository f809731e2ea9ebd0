using RabbitMQ.Client.Events;

namespace PlayChat.Cluster.RabbitMq;

/// <summary>Reads a stream through one channel. An acknowledgement is only credit for further messages, so one covers many.</summary>
/// <param name="channel">The channel; its prefetch is set.</param>
/// <param name="credit">After how many messages one acknowledgement is sent.</param>
/// <param name="onMessage">Handles a message: its offset, its type and its bytes. Returns whether to read on.</param>
/// <param name="onBroken">Called when the broker ends the subscription.</param>
internal sealed class StreamConsumer(
    IChannel channel,
    int credit,
    Func<long, string?, ReadOnlyMemory<byte>, Task<bool>> onMessage,
    Action<string> onBroken) : AsyncDefaultBasicConsumer(channel)
{
    private int _unacknowledged;

    /// <summary>Begins to read. A stream requires a bounded prefetch and acknowledgements.</summary>
    /// <param name="stream">The stream.</param>
    /// <param name="offset">The first offset, or first, or next.</param>
    /// <param name="prefetch">How many messages the broker sends ahead.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    public async Task BeginAsync(string stream, object offset, int prefetch, CancellationToken cancellationToken)
    {
        await Channel.BasicQosAsync(0, (ushort)prefetch, global: false, cancellationToken).ConfigureAwait(false);
        var arguments = new Dictionary<string, object?>(StringComparer.Ordinal) { [StreamNames.Offset] = offset };
        await Channel.BasicConsumeAsync(
            stream, autoAck: false, consumerTag: "", noLocal: false, exclusive: false, arguments, this, cancellationToken)
            .ConfigureAwait(false);
    }

    public override async Task HandleBasicDeliverAsync(
        string consumerTag,
        ulong deliveryTag,
        bool redelivered,
        string exchange,
        string routingKey,
        IReadOnlyBasicProperties properties,
        ReadOnlyMemory<byte> body,
        CancellationToken cancellationToken = default)
    {
        if (properties.Headers?.TryGetValue(StreamNames.Offset, out object? offset) != true || offset is not long at)
        {
            onBroken($"{routingKey} is not a stream");
            return;
        }

        if (await onMessage(at, properties.IsTypePresent() ? properties.Type : null, body).ConfigureAwait(false)
            && ++_unacknowledged >= credit)
        {
            _unacknowledged = 0;
            await Channel.BasicAckAsync(deliveryTag, multiple: true, cancellationToken).ConfigureAwait(false);
        }
    }

    public override Task HandleBasicCancelAsync(string consumerTag, CancellationToken cancellationToken = default)
    {
        onBroken("the stream was deleted, or its broker is down");
        return Task.CompletedTask;
    }

    public override Task HandleChannelShutdownAsync(object channel, ShutdownEventArgs reason) => Task.CompletedTask;
}
