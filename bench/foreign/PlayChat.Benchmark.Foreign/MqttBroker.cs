namespace PlayChat.Benchmark.Foreign;

/// <summary>MQTTnet's broker, for fan-out: a room is a topic, and messages have quality of service 0.</summary>
internal sealed class MqttBroker : IBaselineServer
{
    // More than a load has under way, so that the broker drops nothing of a member that reads.
    private const int MaxPendingMessages = 100_000;

    private readonly ConcurrentDictionary<string, int> _members = new(StringComparer.Ordinal);
    private readonly MqttServer _server;

    private MqttBroker(MqttServer server, int port)
    {
        _server = server;
        Port = port;
        server.ClientConnectedAsync += _ => Count(Counters.OnAccepted);
        server.ClientDisconnectedAsync += _ => Count(Counters.OnClosed);
        server.ClientSubscribedTopicAsync += e => Count(
            () => _members.AddOrUpdate(e.TopicFilter.Topic, 1, static (_, before) => before + 1));
        server.InterceptingPublishAsync += e => Count(() =>
        {
            Counters.OnReceived(e.ApplicationMessage.Payload.Length, frames: 1);
            Counters.OnDelivered(_members.GetValueOrDefault(e.ApplicationMessage.Topic));
        });
    }

    public int Port { get; }

    public BaselineCounters Counters { get; } = new();

    public static async Task<IBaselineServer> StartAsync(BaselineSettings settings)
    {
        // The broker does not tell which port it was given.
        int port = settings.Port == 0 ? ServerAddress.FindFreePort() : settings.Port;
        var factory = new MqttServerFactory();
        MqttServer server = factory.CreateMqttServer(factory.CreateServerOptionsBuilder()
            .WithDefaultEndpoint()
            .WithDefaultEndpointBoundIPAddress(IPAddress.Loopback)
            .WithDefaultEndpointBoundIPV6Address(IPAddress.None)
            .WithDefaultEndpointPort(port)
            .WithConnectionBacklog(BaselineSettings.Backlog)
            .WithMaxPendingMessagesPerClient(MaxPendingMessages)
            .Build());
        await server.StartAsync();
        return new MqttBroker(server, port);
    }

    public async ValueTask DisposeAsync()
    {
        await _server.StopAsync();
        _server.Dispose();
    }

    private static Task Count(Action count)
    {
        count();
        return Task.CompletedTask;
    }
}

/// <summary>A client of a broker that subscribes to its room's topic and publishes to it.</summary>
internal sealed class MqttLink : ClassroomLink
{
    private static readonly MqttClientFactory s_factory = new();

    private readonly IMqttClient _client = s_factory.CreateMqttClient();
    private readonly string _topic;

    public MqttLink(int index, FanoutLoad load)
        : base(index, load)
    {
        _topic = $"room/{load.Roster.RoomOf(index)}";
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
