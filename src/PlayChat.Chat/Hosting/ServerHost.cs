using System.Reflection;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using PlayChat.Chat.Accounts;
using PlayChat.Chat.ChatLog;
using PlayChat.Chat.Cluster;
using PlayChat.Chat.Extensions;
using PlayChat.Chat.Handlers;
using PlayChat.Chat.Kpi;
using PlayChat.Chat.Modes;
using PlayChat.Chat.Operations;
using PlayChat.Chat.Operations.Admin;
using PlayChat.Chat.Operations.Metrics;
using PlayChat.Chat.Operations.Telemetry;
using PlayChat.Chat.Places;
using PlayChat.Chat.Rooms;
using PlayChat.Chat.Rooms.Members;
using PlayChat.Chat.Rooms.Order;
using PlayChat.Chat.Sessions;
using PlayChat.Chat.Web;
using PlayChat.Core.Transport;
using PlayChat.Kpi;
using PlayChat.Storage.ChatLog;
using PlayChat.Storage.Passwords;
using PlayChat.Transport.Linux;
using PlayChat.Webhooks;
using Serilog;
using Serilog.Events;
using Serilog.Extensions.Logging;
using Serilog.Settings.Configuration;

namespace PlayChat.Chat.Hosting;

/// <summary>Puts the server together from its settings.</summary>
internal static class ServerHost
{
    private static readonly TimeSpan s_stopMargin = TimeSpan.FromSeconds(10);

    /// <summary>Makes the host; nothing listens, and nothing but the log is opened, before it is started.</summary>
    /// <remarks>
    /// The console gets the figures. Without <paramref name="logs"/> no file is opened. <paramref name="configureServices"/> replaces
    /// services, for tests.
    /// </remarks>
    /// <exception cref="StartException">The configuration is invalid, or a log file is not writable.</exception>
    public static IHost Build(
        CommandLine commandLine, TextWriter console, Action<ChatBuilder>? configure = null,
        Action<IServiceCollection>? configureServices = null, bool logs = true)
    {
        var configuration = new ConfigurationManager();
        SettingsSource source = manager => ServerConfiguration.Load(manager, commandLine);
        ServerSettings settings = source(configuration);
        WorkerThreads.Limit(settings.Workers); // before anything uses the thread pool
        if (settings.InlineCompletions)
        {
            SocketTransport.UnsafeUseInlineCompletions(); // before anything makes a socket
        }

        HostApplicationBuilder builder = Host.CreateApplicationBuilder(new HostApplicationBuilderSettings
        {
            // The sources are our own: what is in the environment is not all meant for us, and each source costs start-up time.
            DisableDefaults = true,
            ContentRootPath = AppContext.BaseDirectory,
        });
        var flood = new FloodFilter(settings.Log, TimeProvider.System);
        settings.Telemetry.Otlp.Check();
        var live = new LiveConfiguration(configuration);
        ((IConfigurationBuilder)builder.Configuration).Add(live);
        if (logs)
        {
            AddLogging(builder, flood, settings.Telemetry.Otlp);
        }
        else
        {
            Configuration.LogLevels.Check(configuration); // the rest of the section needs its sinks, which open files
        }

        IServiceCollection services = builder.Services;
        services.AddSingleton(console).AddHostedService<SettingsReport>().AddHostedService<HangUp>();
        services.AddSingleton<ServiceNotifier>().AddHostedService(static provider => provider.GetRequiredService<ServiceNotifier>());
        AddWindowsService(services);
        services.Configure<ConsoleLifetimeOptions>(static options => options.SuppressStatusMessages = true);
        services.AddSingleton<StartReport>().AddHostedService<SecondSignal>().AddHostedService<KpiReporter>();
        if (settings.Telemetry.Otlp.Endpoint.Length > 0)
        {
            AddOtlp(services); // in a method of its own: OpenTelemetry is loaded only where it is used
        }

        AddServer(services, source, settings, live, flood, configure, throwOnFailedStart: true); // Program prints why a start failed
        configureServices?.Invoke(services);
        return builder.Build();
    }

    /// <summary>Checks the configuration as a start does, certificates included. Nothing listens, and no file is written.</summary>
    /// <returns>The settings that differ from the defaults.</returns>
    /// <exception cref="StartException">The configuration is invalid.</exception>
    /// <exception cref="OptionsException">An option of the framework is invalid, or a certificate is not usable.</exception>
    /// <exception cref="StorageException">The connection string is none, or an option of the storage is out of range.</exception>
    public static async Task<IReadOnlyList<string>> CheckAsync(CommandLine commandLine)
    {
        IHost host = Build(commandLine, TextWriter.Null, logs: false);
        await using var services = (IAsyncDisposable)host;
        host.Services.GetRequiredService<PlayChatServer>().Validate();
        _ = host.Services.GetService<IClusterEngine>(); // checks the settings of the cluster
        var settings = host.Services.GetRequiredService<ServerSettings>();
        if (settings.Operations is { Enabled: true, CertificatePath.Length: > 0 })
        {
            _ = new OperationsCertificate(settings.Operations).Current;
        }

        if (settings.Operations.Enabled && File.Exists(settings.Operations.TokenFile))
        {
            OperationsToken.Read(settings.Operations); // a start makes a file that is missing
        }

        return SettingsSummary.Of(host.Services.GetRequiredService<LiveConfiguration>().Current);
    }

    /// <summary>Adds the server to a host, without what makes it a program: logs, figures on a console, signals.</summary>
    /// <remarks>With <paramref name="throwOnFailedStart"/> a failed start throws; otherwise it is one line in the log.</remarks>
    /// <exception cref="StartException">The settings contradict each other.</exception>
    public static void AddServer(
        IServiceCollection services, SettingsSource source, ServerSettings settings, LiveConfiguration live, FloodFilter flood,
        Action<ChatBuilder>? configure, bool throwOnFailedStart)
    {
        services.AddSingleton(settings).AddSingleton(source).AddSingleton(live).AddSingleton<Reloader>();
        services.TryAddSingleton(TimeProvider.System);
        services.AddSingleton(_ => flood).AddHostedService(static provider => provider.GetRequiredService<FloodFilter>());
        services.AddSingleton<ServerExit>().AddSingleton<ShutdownState>();
        services.AddHostedService<DrainDelay>();
        OperationsAddress.Check(settings.Operations);
        CheckWebhooks(settings.Webhooks);
        var passed = PassedSockets.Read(Environment.GetEnvironmentVariables());
        passed.GiveTo(settings.Operations);
        if (settings.Operations.Enabled)
        {
            OperationsServices.Add(services); // in a method of its own: ASP.NET Core is loaded only where it is used
        }

        services.AddSingleton<KpiExtras>();
        var builder = new ChatBuilder(services);
        if (settings.Mode == ServerMode.Chat)
        {
            AddChat(services, settings, builder);
            configure?.Invoke(builder);
            services.AddSingleton(builder).AddSingleton<IChatRooms, ChatRooms>().AddSingleton<RuleFilter>();
            if (builder.HasRules)
            {
                services.AddHostedService(static provider => provider.GetRequiredService<RuleFilter>());
            }
        }

        services.TryAddSingleton<IPlayers, LocalPlayers>(); // unless a cluster has others

        var web = new WebEndpoint(settings, passed);
        var others = new OtherNodes();
        services.AddSingleton(web).AddSingleton(others);
        services.AddPlayChat(
            (provider, server) =>
            {
                settings.PlayChat = server.Options; // read from the same keys; these live
                Configure(server, settings, live, others, builder, builder.HasRules ? provider.GetRequiredService<RuleFilter>() : null);
                OperationsAddress.CheckPort(settings.Operations, server.Options.Endpoints);
                web.AddTo(server.Options);
                passed.GiveTo(server.Options);
            },
            new ConfigurationRoot([live]).GetSection("PlayChat"),
            throwOnFailedStart);
        services.AddHostedService<PlaintextWarning>().AddHostedService<WebPortWarning>();
        TimeSpan stopTimeout =
            settings.Operations.DrainDelay + settings.PlayChat.StopTimeout + settings.ChatLog.StopTimeout + s_stopMargin;
        if (settings.Cluster.IsOn)
        {
            stopTimeout += settings.Sessions.ReturnWithin + NodeStop.ReturnMargin;
        }

        services.Configure<HostOptions>(options => options.ShutdownTimeout = stopTimeout);
    }

    // Does nothing unless Windows has started the process as a service. It then logs to the event log as well.
    private static void AddWindowsService(IServiceCollection services)
    {
        services.AddWindowsService(static options => options.ServiceName = "PlayChat");
        services.Configure<LoggerFilterOptions>(
            static options => options.Rules.Add(new LoggerFilterRule("EventLog", categoryName: null, LogLevel.Warning, filter: null)));
    }

    private static void Configure(
        PlayChatServer server, ServerSettings settings, LiveConfiguration live, OtherNodes others, ChatBuilder builder, RuleFilter? rules)
    {
        if (settings.Transport == ServerTransport.Linux)
        {
            server.UseTransport(
                settings.Workers == 0 ? LinuxTransport.Shared : new LinuxTransport(new LinuxTransportOptions { Loops = settings.Workers }));
        }

        switch (settings.Mode)
        {
            case ServerMode.Echo:
                EchoMode.Configure(server, settings);
                break;
            case ServerMode.Broadcast:
            case ServerMode.Classroom:
                BroadcastMode.Configure(server, settings);
                break;
            default:
                ChatMode.Configure(server, settings, live, others, builder, rules);
                break;
        }
    }

    private static void AddLogging(HostApplicationBuilder builder, FloodFilter flood, OtlpSettings otlp)
    {
        LogFiles.Check(builder.Configuration);
        try
        {
            LoggerConfiguration logging = new LoggerConfiguration()
                .ReadFrom.Configuration(
                    builder.Configuration,
                    // Named, not searched for: a search reads every assembly of the program.
                    new ConfigurationReaderOptions(
                        typeof(ConsoleLoggerConfigurationExtensions).Assembly,
                        typeof(FileLoggerConfigurationExtensions).Assembly,
                        typeof(LoggerConfigurationAsyncExtensions).Assembly))
                // Fixed: an operator that changes the levels does not silence the audit log of operators.
                .MinimumLevel.Override(typeof(AdminFilter).FullName!, LogEventLevel.Information)
                .Filter.With(flood);
            if (otlp.Endpoint.Length > 0)
            {
                AddOtlpLog(logging, otlp); // in a method of its own: OpenTelemetry is loaded only where it is used
            }

            Serilog.Core.Logger logger = logging.CreateLogger();
            flood.LogTo(logger);
            // What is logged is Serilog's to decide. A failed start is told in one line, so the host's own report of it is left out.
            builder.Logging.AddSerilog(logger, dispose: true)
                .SetMinimumLevel(LogLevel.Trace)
                .AddFilter<SerilogLoggerProvider>("Microsoft.Extensions.Hosting.Internal.Host", LogLevel.None);
        }
        catch (Exception e) when (e is InvalidOperationException or ArgumentException or FormatException or TypeLoadException
            or IOException or UnauthorizedAccessException or TargetInvocationException)
        {
            throw new StartException(
                $"The section {SettingsCatalog.SerilogSection} of the configuration is invalid: {e.GetBaseException().Message}", e);
        }
    }

    private static void AddOtlpLog(LoggerConfiguration logging, OtlpSettings otlp) => logging.WriteTo.Sink(new OtlpLogSink(otlp));

    private static void AddOtlp(IServiceCollection services)
    {
        services.TryAddSingleton<ServerInstruments>();
        services.AddHostedService<OtlpExport>();
    }

    private static void CheckWebhooks(WebhookOptions webhooks)
    {
        try
        {
            webhooks.Validate();
        }
        catch (StorageException e)
        {
            throw new StartException($"{nameof(ServerSettings.Webhooks)}:{e.Message}", e);
        }
    }

    private static void AddChat(IServiceCollection services, ServerSettings settings, ChatBuilder builder)
    {
        IChatStore store = ChatStores.Create(settings.Storage, settings.ChatLog.Durability);
        services.AddSingleton(_ => store); // by a factory, because the host closes only what it has made
        services.AddSingleton<StorageFigures>();
        if (settings.ChatLog.SpillFile.Length > 0)
        {
            // Opened when the database is this server's: a second server in the folder must hear of the first, and not of a file.
            services.AddSingleton(provider => new ChatLogSpill(
                settings.ChatLog.SpillFile, settings.ChatLog.SpillBytes, provider.GetRequiredService<ILogger<ChatLogWriter>>()));
        }

        services.AddSingleton<StoredDelivery>();
        services.AddSingleton<RoomArchive>();
        ChatLogOptions log = settings.ChatLog.ForWriter();
        log.Validate();
        services.AddSingleton(provider => CreateLogWriter(provider, settings, log));
        services.AddSingleton(provider => new ChatLogGate(
            provider.GetRequiredService<ChatLogWriter>(),
            log.FullPolicy,
            settings.ChatLog.FullTimeout,
            provider.GetRequiredService<TimeProvider>(),
            () => provider.GetRequiredService<StoredDelivery>().IsStuck));
        if (settings.ChatLog.Directory.Length > 0)
        {
            services.AddSingleton(_ => new ChatFileSink(settings.ChatLog));
        }

        services.AddSingleton(_ => new PasswordVerifier(
            new PasswordHasher(settings.Accounts.PasswordIterations),
            settings.Accounts.PasswordConcurrency > 0 ? settings.Accounts.PasswordConcurrency : null));
        services.AddSingleton<LoginThrottle>();
        services.AddSingleton<AccountLogin>();
        services.AddSingleton<LoginTokens>();
        services.AddSingleton<KeptDevices>();
        services.AddSingleton<PlayerLimits>().AddSingleton<RoomPasswords>();
        services.AddHostedService<LoginFigures>();
        services.AddSingleton<PasswordlessRule>();
        services.AddSingleton<RoomQuotas>();
        services.AddSingleton<HistoryReader>();
        services.AddSingleton<ChatRoomServices>();
        services.AddSingleton<MembershipReader>();
        services.AddSingleton<DirectWriter>().AddSingleton<ConversationReader>();
        services.AddSingleton<ServerFacts>();
        // Before the server: they start first and stop last.
        services.AddHostedService<ChatStorage>();
        if (settings.Webhooks.IsOn)
        {
            // Its outbox takes the messages that the storage writes when it stops, and is closed with the services.
            services.AddSingleton(settings.Webhooks).AddSingleton<WebhookService>()
                .AddHostedService(static provider => provider.GetRequiredService<WebhookService>());
            builder.AddSink<WebhookSink>();
        }

        if (settings.Cluster.IsOn)
        {
            ClusterServices.Add(services, settings);
        }
        else
        {
            services.AddSingleton<IPlaces, LocalPlaces>();
        }

        services.AddSingleton<BanList>();
        services.AddHostedService<BanWatch>();
        services.AddHostedService<MessageRetention>();
        services.AddHostedService<HttpPeers>();
    }

    private static ChatLogWriter CreateLogWriter(IServiceProvider provider, ServerSettings settings, ChatLogOptions options)
    {
        bool isStored = settings.ChatLog.Durability == Durability.Stored;
        var store = provider.GetRequiredService<IChatStore>();
        return new ChatLogWriter(
            settings.ChatLog.Directory.Length > 0 ? [store, provider.GetRequiredService<ChatFileSink>()] : [store],
            options,
            provider.GetRequiredService<ILogger<ChatLogWriter>>(),
            provider.GetRequiredService<TimeProvider>(),
            spill: isStored ? null : provider.GetService<ChatLogSpill>(), // what is in a file is not stored
            stored: isStored ? provider.GetRequiredService<StoredDelivery>().OnStored : null,
            refused: isStored ? provider.GetRequiredService<StoredDelivery>().OnRefused : null,
            after: [.. provider.GetServices<IChatLogSink>()]);
    }
}
