namespace PlayChat.Benchmark.Foreign;

/// <summary>Clients of a broker, each of which subscribes to its room's topic and publishes to it.</summary>
internal sealed class MqttNetwork : IClassroomNetwork
{
    private readonly ConcurrentBag<MqttChannel> _channels = [];

    public IClassroomChannel CreateChannel(ClassroomLink link, int room)
    {
        var channel = new MqttChannel(link, room);
        _channels.Add(channel);
        return channel;
    }

    public ValueTask DisposeAsync()
    {
        foreach (MqttChannel channel in _channels)
        {
            channel.Dispose();
        }

        return ValueTask.CompletedTask;
    }
}

/// <summary>A connection of <see cref="MqttNetwork"/>.</summary>
internal sealed class MqttChannel : IClassroomChannel, IDisposable
{
    private static readonly MqttClientFactory s_factory = new();

    private readonly ClassroomLink _link;
    private readonly IMqttClient _client = s_factory.CreateMqttClient();
    private readonly string _topic;

    public MqttChannel(ClassroomLink link, int room)
    {
        _link = link;
        _topic = string.Create(CultureInfo.InvariantCulture, $"room/{room}");
        _client.ApplicationMessageReceivedAsync += received =>
        {
            ReadOnlySequence<byte> payload = received.ApplicationMessage.Payload;
            _link.OnMessage(payload.IsSingleSegment ? payload.FirstSpan : payload.ToArray());
            return Task.CompletedTask;
        };
        _client.DisconnectedAsync += e =>
        {
            _link.OnClosed(e.Reason.ToString());
            return Task.CompletedTask;
        };
    }

    public async Task ConnectAsync(ServerAddress server, CancellationToken cancellationToken)
    {
        try
        {
            MqttClientOptions options = s_factory.CreateClientOptionsBuilder().WithTcpServer(server.Host, server.Port).Build();
            await _client.ConnectAsync(options, cancellationToken);
            await _client.SubscribeAsync(s_factory.CreateSubscribeOptionsBuilder().WithTopicFilter(_topic).Build(), cancellationToken);
        }
        catch (MqttCommunicationException e)
        {
            throw new UsageException($"Cannot connect to {server}: {e.Message}");
        }
    }

    public bool Send(int bytes, SpanAction<byte, ClassroomLink> write)
    {
        if (!_client.IsConnected)
        {
            return false;
        }

        byte[] payload = new byte[bytes];
        write(payload, _link);
        _ = PublishAsync(payload);
        return true;
    }

    public void Dispose() => _client.Dispose();

    private async Task PublishAsync(byte[] payload)
    {
        try
        {
            await _client.PublishAsync(new MqttApplicationMessage { Topic = _topic, Payload = new ReadOnlySequence<byte>(payload) });
        }
        catch (Exception e) when (e is MqttCommunicationException or OperationCanceledException or ObjectDisposedException)
        {
            // The connection has ended, which DisconnectedAsync tells; the message is counted as lost.
        }
    }
}
