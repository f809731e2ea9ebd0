namespace PlayChat.Benchmark.Foreign;

/// <summary>A client of a broker that subscribes to its room's topic and publishes to it.</summary>
internal sealed class MqttLink : ClassroomLink
{
    private static readonly MqttClientFactory s_factory = new();

    private readonly IMqttClient _client = s_factory.CreateMqttClient();
    private readonly string _topic;

    public MqttLink(int index, FanoutLoad load)
        : base(index, load)
    {
        _topic = string.Create(CultureInfo.InvariantCulture, $"room/{load.Roster.RoomOf(index)}");
        _client.ApplicationMessageReceivedAsync += received =>
        {
            ReadOnlySequence<byte> payload = received.ApplicationMessage.Payload;
            OnMessage(payload.IsSingleSegment ? payload.FirstSpan : payload.ToArray());
            return Task.CompletedTask;
        };
        _client.DisconnectedAsync += e =>
        {
            OnClosed(e.Reason.ToString());
            return Task.CompletedTask;
        };
    }

    public override ValueTask CloseAsync()
    {
        _client.Dispose();
        return ValueTask.CompletedTask;
    }

    protected override async Task ConnectAsync(ServerAddress server, CancellationToken cancellationToken)
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

    protected override bool Send(int bytes)
    {
        if (!_client.IsConnected)
        {
            return false;
        }

        byte[] payload = new byte[bytes];
        Write(payload);
        _ = PublishAsync(payload);
        return true;
    }

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
