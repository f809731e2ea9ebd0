using System.Collections.Concurrent;
using Microsoft.AspNetCore.SignalR.Client;
using PlayChat.Benchmark.Echo;
using PlayChat.Benchmark.Servers;

namespace PlayChat.Benchmark.Foreign.SignalR;

/// <summary>Connections that invoke the hub's echo and await its answers.</summary>
internal sealed class SignalREcho : IEchoNetwork
{
    private readonly ConcurrentBag<HubConnection> _connections = [];

    public async Task<AskingEchoLink> ConnectAsync(EchoLoad load, ServerAddress server, CancellationToken cancellationToken)
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
