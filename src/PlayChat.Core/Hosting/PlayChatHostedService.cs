using Microsoft.Extensions.Hosting;

namespace PlayChat.Core.Hosting;

/// <summary>Starts and stops a server with the host.</summary>
internal sealed class PlayChatHostedService(PlayChatServer server) : IHostedService
{
    public Task StartAsync(CancellationToken cancellationToken) => server.StartAsync(cancellationToken);

    public Task StopAsync(CancellationToken cancellationToken) => server.StopAsync(cancellationToken);
}
