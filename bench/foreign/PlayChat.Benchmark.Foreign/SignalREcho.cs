namespace PlayChat.Benchmark.Foreign;

/// <summary>Connections that invoke the hub's echo and await its answers.</summary>
internal sealed class SignalREcho : IEchoNetwork
{
    private readonly ConcurrentBag<HubConnection> _connections = [];

    public async Task<EchoLink> ConnectAsync(EchoLoad load, ServerAddress server, CancellationToken cancellationToken)
    {
        HubConnection connection = SignalRClient.Create(server);
        _connections.Add(connection);
        await SignalRClient.ConnectAsync(connection, server, cancellationToken);
        return new SignalREchoLink(load, connection);
    }

    public async ValueTask DisposeAsync()
    {
        foreach (HubConnection connection in _connections)
        {
            await connection.DisposeAsync();
        }
    }
}

/// <summary>A connection of <see cref="SignalREcho"/>.</summary>
internal sealed class SignalREchoLink(EchoLoad load, HubConnection connection) : AskingEchoLink<byte[]>(load)
{
    /// <inheritdoc/>
    public override Task LoginAsync(Connection connection, string name, CancellationToken cancellationToken) => Task.CompletedTask;

    /// <inheritdoc/>
    protected override ValueTask<byte[]> AskAsync(byte[] payload) =>
        new(connection.InvokeAsync<byte[]>(nameof(BenchmarkHub.Echo), payload));

    /// <inheritdoc/>
    protected override bool IsRight(byte[] answer, byte[] payload) => answer.AsSpan().SequenceEqual(payload);

    /// <inheritdoc/>
    protected override bool IsClose(Exception exception) => false; // each request that fails is a fault
}
