using PlayChat.Core;
using PlayChat.Core.Connections;

namespace PlayChat.Chat.Hosting;

/// <summary>Says in the log that a peer spoke HTTP, which would otherwise be a frame that is too large.</summary>
internal sealed class HttpPeers(PlayChatServer server, ILogger<HttpPeers> logger) : IHostedService
{
    // Registered before the server, which takes handlers until it starts.
    public Task StartAsync(CancellationToken cancellationToken)
    {
        server.OnBadFrame(OnBadFrame);
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <summary>Whether bytes begin an HTTP request; "PRI " begins HTTP/2.</summary>
    internal static bool IsHttp(ReadOnlySpan<byte> start) =>
        start.StartsWith("GET "u8)
        || start.StartsWith("POST"u8)
        || start.StartsWith("HEAD"u8)
        || start.StartsWith("OPTI"u8)
        || start.StartsWith("PRI "u8);

    private void OnBadFrame(Connection connection, CloseReason reason, ReadOnlySpan<byte> start)
    {
        if (IsHttp(start))
        {
            ServerLog.SpokeHttp(logger, connection.Id, connection.RemoteEndPoint);
        }
    }
}
