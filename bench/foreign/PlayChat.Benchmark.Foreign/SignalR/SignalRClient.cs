using Microsoft.AspNetCore.Http.Connections;
using Microsoft.AspNetCore.SignalR.Client;
using PlayChat.Benchmark.Failures;
using PlayChat.Benchmark.Servers;

namespace PlayChat.Benchmark.Foreign.SignalR;

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
