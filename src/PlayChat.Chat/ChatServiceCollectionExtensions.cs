using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using PlayChat.Chat.Configuration;
using PlayChat.Chat.Hosting;

namespace PlayChat.Chat;

/// <summary>Runs the chat server in a host of your own.</summary>
public static class ChatServiceCollectionExtensions
{
    /// <summary>
    /// Adds the chat server. The host's logs, its start and its stop are yours; settings decide about the parts: <c>Storage</c> about the
    /// database, <c>Web</c> about the page for browsers, <c>Operations</c> about the endpoint for operators, <c>Cluster</c> about other
    /// nodes.
    /// </summary>
    /// <param name="services">The services of the host. One chat for each host.</param>
    /// <param name="settings">
    /// The section with the settings, named as in docs/reference/server-options.md; read once. What it leaves out has its default. Settings
    /// of the program itself have no effect: <c>Mode</c>, <c>InlineCompletions</c>, <c>Log</c>, <c>Serilog</c>, <c>Kpi</c>, and where
    /// telemetry goes.
    /// </param>
    /// <param name="configure">Adds rules, logins and packets of your own; <see langword="null"/> for none.</param>
    /// <returns>The services.</returns>
    /// <remarks>
    /// The host's <see cref="HostOptions.ShutdownTimeout"/> becomes as long as the chat may need to store what was said. A server that has
    /// lost its database to another one stops the host.
    /// </remarks>
    /// <exception cref="ArgumentException">
    /// A key is unknown or a value is not allowed; all that is wrong is named, one line each.
    /// </exception>
    public static IServiceCollection AddChat(
        this IServiceCollection services, IConfiguration settings, Action<ChatBuilder>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        ArgumentNullException.ThrowIfNull(settings);
        try
        {
            SettingsSource source = manager => ServerConfiguration.Load(manager, settings);
            var configuration = new ConfigurationManager();
            ServerSettings checkedSettings = source(configuration);
            var flood = new FloodFilter(checkedSettings.Log, TimeProvider.System);
            ServerHost.AddServer(
                services, source, checkedSettings, new LiveConfiguration(configuration), flood, configure, throwOnFailedStart: false);
        }
        catch (StartException e)
        {
            throw new ArgumentException(e.Message, nameof(settings), e);
        }

        return services;
    }
}
