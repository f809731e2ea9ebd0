using Microsoft.Extensions.DependencyInjection;
using PlayChat.Chat.Cluster;
using PlayChat.Chat.Places;

namespace PlayChat.Chat.Hosting;

/// <summary>Adds what makes the chat server a node of a cluster.</summary>
internal static class ClusterServices
{
    /// <exception cref="StartException">The settings contradict each other.</exception>
    public static void Add(IServiceCollection services, ServerSettings settings)
    {
        if (settings.ChatLog.Durability == Durability.Stored)
        {
            throw new StartException(
                "ChatLog:Durability Stored is for a server without a cluster. A cluster acknowledges a message when its log has it; leave "
                    + "ChatLog:Durability at Async.");
        }

        services.AddSingleton<IClusterEngine>(provider => Create(settings, provider.GetRequiredService<ILoggerFactory>()));
        services.AddSingleton<ClusterNode>();
        services.AddSingleton<ClusterRooms>().AddSingleton<IPlaces, ClusterPlaces>().AddSingleton<IPlayers, ClusterPlayers>();
        services.AddSingleton<ClusterFigures>();
        services.AddHostedService(static provider =>
        {
            provider.GetRequiredService<ClusterFigures>();
            provider.GetRequiredService<ClusterRooms>(); // closes rooms for the node
            return provider.GetRequiredService<ClusterNode>();
        });
    }

    private static IClusterEngine Create(ServerSettings settings, ILoggerFactory loggers) => settings.Cluster.Engine switch
    {
        ClusterEngine.RabbitMq => new RabbitMqClusterEngine(settings, loggers),
        ClusterEngine.Postgres => new PostgresClusterEngine(settings, loggers),
        _ => new LocalClusterEngine(settings, loggers),
    };
}
