namespace PlayChat.Benchmark.Foreign;

/// <summary>Makes connections to the hub: WebSockets at once, without the negotiation before them.</summary>
internal static class SignalRClient
{
    /// <summary>Makes a connection that is not connected yet.</summary>
    public static HubConnection Create(ServerAddress server) => new HubConnectionBuilder()
        .WithUrl(new UriBuilder("http", server.Host, server.Port, SignalRServer.Path).Uri, static options =>
        {
            options.SkipNegotiation = true;
            options.Transports = HttpTransportType.WebSockets;
        })
        .Build();

    /// <summary>Connects.</summary>
    /// <exception cref="UsageException">The connect failed.</exception>
    public static async Task ConnectAsync(HubConnection connection, ServerAddress server, CancellationToken cancellationToken)
    {
        try
        {
            await connection.StartAsync(cancellationToken);
        }
        catch (Exception e) when (e is IOException or HttpRequestException or System.Net.WebSockets.WebSocketException)
        {
            throw new UsageException($"Cannot connect to {server}: {e.Message}");
        }
    }
}

/// <summary>Connections in groups of the hub.</summary>
internal sealed class SignalRNetwork : IClassroomNetwork
{
    private readonly ConcurrentBag<SignalRChannel> _channels = [];

    public IClassroomChannel CreateChannel(ClassroomLink link, int room)
    {
        var channel = new SignalRChannel(link, room);
        _channels.Add(channel);
        return channel;
    }

    public async ValueTask DisposeAsync()
    {
        foreach (SignalRChannel channel in _channels)
        {
            await channel.DisposeAsync();
        }
    }
}

/// <summary>A connection of <see cref="SignalRNetwork"/>.</summary>
internal sealed class SignalRChannel(ClassroomLink link, int room) : IClassroomChannel, IAsyncDisposable
{
    private HubConnection? _connection;

    public async Task ConnectAsync(ServerAddress server, CancellationToken cancellationToken)
    {
        HubConnection connection = _connection = SignalRClient.Create(server);
        connection.On<byte[]>(BenchmarkHub.Heard, payload => link.OnMessage(payload));
        connection.Closed += exception =>
        {
            link.OnClosed(exception?.Message ?? "closed");
            return Task.CompletedTask;
        };
        await SignalRClient.ConnectAsync(connection, server, cancellationToken);
        await connection.InvokeAsync(nameof(BenchmarkHub.Join), room.ToString(CultureInfo.InvariantCulture), cancellationToken);
    }

    public bool Send(int bytes, SpanAction<byte, ClassroomLink> write)
    {
        if (_connection is not { State: HubConnectionState.Connected } connection)
        {
            return false;
        }

        byte[] payload = new byte[bytes];
        write(payload, link);
        _ = SendAsync(connection, payload);
        return true;
    }

    public ValueTask DisposeAsync() => _connection?.DisposeAsync() ?? ValueTask.CompletedTask;

    private static async Task SendAsync(HubConnection connection, byte[] payload)
    {
        try
        {
            await connection.SendAsync(nameof(BenchmarkHub.Say), payload);
        }
        catch (Exception e) when (e is InvalidOperationException or IOException or OperationCanceledException)
        {
            // The connection has ended, which Closed tells; the message is counted as lost.
        }
    }
}
