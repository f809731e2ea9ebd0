using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging.Abstractions;

namespace PlayChat.Core.Hosting;

/// <summary>Adds a server to the generic host.</summary>
public static class ServiceCollectionExtensions
{
    /// <summary>Adds a server that starts and stops with the host; it can be resolved as <see cref="PlayChatServer"/>.</summary>
    /// <param name="services">The host's services; handlers get their constructor arguments from them.</param>
    /// <param name="configure">Sets framing and handlers.</param>
    /// <param name="section">The settings as <see cref="PlayChatOptions"/>, usually <c>configuration.GetSection("PlayChat")</c>.</param>
    /// <param name="throwOnFailedStart">
    /// What happens when an option is invalid, the router refuses a mapping, or binding an address fails. <see langword="false"/>, the
    /// default: one line is logged as critical, <see cref="Environment.ExitCode"/> becomes 1, and the host stops. <see langword="true"/>,
    /// or when nothing is logged: the start of the host throws <see cref="OptionsException"/>, <see cref="InvalidOperationException"/> or
    /// <see cref="Transport.ListenFailedException"/>.
    /// </param>
    /// <remarks>
    /// A key in the section that no option has is an invalid option, so a misspelled one is found. A <c>Main</c> that returns nothing ends
    /// the process with <see cref="Environment.ExitCode"/>.
    /// </remarks>
    public static IServiceCollection AddPlayChat(
        this IServiceCollection services, Action<PlayChatServer> configure, IConfiguration? section = null, bool throwOnFailedStart = false)
    {
        ArgumentNullException.ThrowIfNull(configure);
        return services.AddPlayChat((_, server) => configure(server), section, throwOnFailedStart);
    }

    /// <summary>Adds a server whose handlers need services of the host; otherwise like the other overload.</summary>
    /// <inheritdoc cref="AddPlayChat(IServiceCollection, Action{PlayChatServer}, IConfiguration, bool)" path="/param|/remarks"/>
    public static IServiceCollection AddPlayChat(
        this IServiceCollection services, Action<IServiceProvider, PlayChatServer> configure, IConfiguration? section = null,
        bool throwOnFailedStart = false)
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

            configure(provider, server);
            return server;
        });
        services.AddSingleton<IHostedService>(provider => new PlayChatHostedService(
            provider.GetRequiredService<PlayChatServer>,
            provider.GetRequiredService<IHostApplicationLifetime>(),
            provider.GetService<ILoggerFactory>()?.CreateLogger("PlayChat.Core") ?? NullLogger.Instance,
            throwOnFailedStart));
        return services;
    }
}
