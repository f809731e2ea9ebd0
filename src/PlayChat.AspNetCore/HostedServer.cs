using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using PlayChat.Core.Hosting;

namespace PlayChat.AspNetCore;

/// <summary>Finds the PlayChat server of an application.</summary>
internal static class HostedServer
{
    /// <summary>Finds the server, and lets it drain when the application begins to stop.</summary>
    /// <param name="services">Those of the application.</param>
    /// <param name="caller">The method that needs it, for the message.</param>
    internal static PlayChatServer Find(IServiceProvider services, string caller)
    {
        PlayChatServer server = services.GetService<PlayChatServer>() ?? throw new InvalidOperationException(
            $"{caller} needs a PlayChat server: call builder.Services.AddPlayChat(…) before the application is built.");
        // Kestrel stops before the hosted service of PlayChat does, and waits for its connections. They end only when PlayChat drains.
        // The hosted service awaits the same task later, so a fault is observed there.
        services.GetService<IHostApplicationLifetime>()?.ApplicationStopping.Register(() => _ = server.StopAsync());
        return server;
    }
}
