namespace PlayChat.Benchmark.Foreign;

/// <summary>Makes connections to the hub: WebSockets at once, without the negotiation before them.</summary>
internal static class SignalRClient
{
    public static HubConnection Create(ServerAddress server) => new HubConnectionBuilder()
        .WithUrl(new UriBuilder("http", server.Host, server.Port, SignalRServer.Path).Uri, static options =>
        {
            options.SkipNegotiation = true;
            options.Transports = HttpTransportType.WebSockets;
        })
        .Build();

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

/// <summary>A connection in a group of the hub.</summary>
internal sealed class SignalRLink(int index, FanoutLoad load) : ClassroomLink(index, load)
{
    private readonly string _room = load.Roster.RoomOf(index).ToString(CultureInfo.InvariantCulture);
    private HubConnection? _connection;

    public override ValueTask CloseAsync() => _connection?.DisposeAsync() ?? ValueTask.CompletedTask;

    protected override async Task ConnectAsync(ServerAddress server, CancellationToken cancellationToken)
    {
        HubConnection connection = _connection = SignalRClient.Create(server);
        connection.On<byte[]>(BenchmarkHub.Heard, payload => OnMessage(payload));
        connection.Closed += exception =>
        {
            OnClosed(exception?.Message ?? "closed");
            return Task.CompletedTask;
        };
        await SignalRClient.ConnectAsync(connection, server, cancellationToken);
        await connection.InvokeAsync(nameof(BenchmarkHub.Join), _room, cancellationToken);
    }

    protected override bool Send(int bytes)
    {
        if (_connection is not { State: HubConnectionState.Connected } connection)
        {
            return false;
        }

        byte[] payload = new byte[bytes];
        Write(payload);
        _ = SendAsync(connection, payload);
        return true;
    }

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

/// <summary>A connection that invokes the hub's echo and awaits its answers.</summary>
internal sealed class SignalREchoLink(EchoLoad load, HubConnection connection) : AskingEchoLink<byte[]>(load)
{
    public static async Task<EchoLink> ConnectAsync(EchoLoad load, ServerAddress server, CancellationToken cancellationToken)
    {
        HubConnection connection = SignalRClient.Create(server);
        await SignalRClient.ConnectAsync(connection, server, cancellationToken);
        return new SignalREchoLink(load, connection);
    }

    public override Task LoginAsync(Connection connection, string name, CancellationToken cancellationToken) => Task.CompletedTask;

    public override ValueTask CloseAsync() => connection.DisposeAsync();

    protected override ValueTask<byte[]> AskAsync(byte[] payload) =>
        new(connection.InvokeAsync<byte[]>(nameof(BenchmarkHub.Echo), payload));

    protected override bool IsRight(byte[] answer, byte[] payload) => answer.AsSpan().SequenceEqual(payload);

    protected override bool IsClose(Exception exception) => false; // each request that fails is a fault
}
