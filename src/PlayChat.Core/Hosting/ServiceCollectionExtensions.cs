using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace PlayChat.Core.Hosting;

/// <summary>Adds a server to the generic host.</summary>
public static class ServiceCollectionExtensions
{
    /// <summary>Adds a server that starts and stops with the host; it can be resolved as <see cref="PlayChatServer"/>.</summary>
    /// <param name="services">The host's services; handlers get their constructor arguments from them.</param>
    /// <param name="configure">Sets framing and handlers.</param>
    /// <param name="section">The settings as <see cref="PlayChatOptions"/>, usually <c>configuration.GetSection("PlayChat")</c>.</param>
    /// <exception cref="OptionsException">An option is invalid. Thrown when the host starts.</exception>
    public static IServiceCollection AddPlayChat(
        this IServiceCollection services, Action<PlayChatServer> configure, IConfiguration? section = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        ArgumentNullException.ThrowIfNull(configure);
        services.AddSingleton(provider =>
        {
            var server = new PlayChatServer(section is null ? null : options => OptionsBinder.Bind(section, options)).UseServices(provider);
            if (section is IConfigurationSection { Path: { } path })
            {
                server.OptionsPath = path;
            }

            if (provider.GetService<ILoggerFactory>() is { } loggers)
            {
                server.UseLogging(loggers);
            }

            configure(server);
            return server;
        });
        services.AddSingleton<IHostedService, PlayChatHostedService>();
        return services;
    }
}
