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
