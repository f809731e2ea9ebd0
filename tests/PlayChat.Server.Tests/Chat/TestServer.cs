using System.Net;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using PlayChat.Chat;
using PlayChat.Chat.ChatLog;
using PlayChat.Chat.Configuration;
using PlayChat.Chat.Hosting;
using PlayChat.Core.Hosting;
using PlayChat.Core.Transport;
using PlayChat.Kpi;
using PlayChat.Storage;
using PlayChat.Storage.ChatLog;
using PlayChat.Storage.Passwords;
using PlayChat.TestUtilities;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.Server.Tests.Chat;

/// <summary>The whole server in this process, with a folder of its own for its files.</summary>
/// <remarks>
/// Clients reach it in memory, unless the test is about sockets, or the environment says how bytes are to be moved
/// (<c>PLAYCHAT_Transport</c>).
/// </remarks>
internal sealed class TestServer : IAsyncDisposable
{
    /// <summary>An argument: rooms end when they are empty.</summary>
    public const string Fleeting = "--Rooms:Lasting=false";

    private static readonly bool s_hasOwnTransport = Environment.GetEnvironmentVariable("PLAYCHAT_Transport") is not null;

    private readonly TemporaryDirectory? _ownDirectory;
    private readonly IHost _host;
    private readonly ITransport? _transport;

    private TestServer(IHost host, StringWriter console, TemporaryDirectory? ownDirectory, ITransport? transport)
    {
        _host = host;
        Console = console;
        _ownDirectory = ownDirectory;
        _transport = transport;
    }

    public StringWriter Console { get; }

    public PlayChatServer Server => _host.Services.GetRequiredService<PlayChatServer>();

    public IChatStore Store => _host.Services.GetRequiredService<IChatStore>();

    public ChatLogWriter Log => _host.Services.GetRequiredService<ChatLogWriter>();

    public ChatLogGate LogGate => _host.Services.GetRequiredService<ChatLogGate>();

    public PasswordVerifier Passwords => _host.Services.GetRequiredService<PasswordVerifier>();

    public TService Get<TService>()
        where TService : notnull =>
        _host.Services.GetRequiredService<TService>();

    public TService? Find<TService>() => _host.Services.GetService<TService>();

    public IHostApplicationLifetime Lifetime => _host.Services.GetRequiredService<IHostApplicationLifetime>();

    /// <summary>The figures of the server, with those that its parts have added.</summary>
    public KpiSnapshot Figures => new KpiCollector(Server.Metrics, Get<KpiExtras>()).Snapshot();

    public IPEndPoint EndPoint => (IPEndPoint)Server.EndPoints[0];

    public static Task<TestServer> StartAsync(params string[] args) => StartInAsync(null, null, args);

    /// <summary>On a free port.</summary>
    public static Task<TestServer> StartOnSocketsAsync(params string[] args) => StartAsync(null, null, null, isInMemory: false, args);

    /// <summary>On a free port, with other services.</summary>
    public static Task<TestServer> StartOnSocketsWithAsync(Action<IServiceCollection> configureServices, params string[] args) =>
        StartAsync(null, null, configureServices, isInMemory: false, args);

    /// <summary>With rules, logins or packets of a test's own.</summary>
    /// <param name="configure">Extends the chat.</param>
    /// <param name="time">The clock; that of the system without.</param>
    /// <param name="args">As on the command line.</param>
    public static Task<TestServer> StartExtendedAsync(Action<ChatBuilder> configure, TimeProvider? time = null, params string[] args) =>
        StartAsync(
            null, time, services => services.AddSingleton(time ?? TimeProvider.System), !s_hasOwnTransport, args, configure);

    /// <summary>Under a clock that is that of all deadlines and heartbeats as well.</summary>
    public static Task<TestServer> StartUnderAsync(ManualTimeProvider time, params string[] args) =>
        StartUnderAsync(time, static _ => { }, args);

    /// <inheritdoc cref="StartUnderAsync(ManualTimeProvider, string[])"/>
    public static Task<TestServer> StartUnderAsync(
        ManualTimeProvider time, Action<IServiceCollection> configureServices, params string[] args) =>
        StartAsync(
            null,
            time,
            services =>
            {
                services.AddSingleton<TimeProvider>(time);
                configureServices(services);
            },
            !s_hasOwnTransport,
            args);

    /// <param name="directory">Where the files are; one of the server's own without.</param>
    /// <param name="configureServices">Replaces services.</param>
    /// <param name="args">As on the command line.</param>
    public static Task<TestServer> StartInAsync(string? directory, Action<IServiceCollection>? configureServices, params string[] args) =>
        StartAsync(directory, null, configureServices, !s_hasOwnTransport, args);

    /// <summary>On a port of its own, with files that it shares.</summary>
    public static Task<TestServer> StartOnSocketsInAsync(
        string directory, Action<IServiceCollection> configureServices, params string[] args) =>
        StartAsync(directory, null, configureServices, isInMemory: false, args);

    private static async Task<TestServer> StartAsync(
        string? directory, TimeProvider? time, Action<IServiceCollection>? configureServices, bool isInMemory, string[] args,
        Action<ChatBuilder>? configure = null)
    {
        TemporaryDirectory? own = directory is null ? new TemporaryDirectory() : null;
        string path = directory ?? own!.Path;
        var console = new StringWriter();
        string[] defaults =
        [
            "--port=0",
            $"--Storage:Path={Path.Combine(path, "playchat.db")}",
            $"--ChatLog:Directory={Path.Combine(path, "chat")}",
            $"--ChatLog:SpillFile={Path.Combine(path, "spill.db")}",
            "--Accounts:PasswordIterations=1000",
            .. ServerProcess.Unlimited,
            "--Serilog:MinimumLevel:Default=Fatal",
        ];
        IHost host = ServerHost.Build(CommandLine.Parse([.. defaults, .. args]), console, configure, configureServices);
        InMemoryTransport? transport = isInMemory ? new InMemoryTransport() : null;
        var server = new TestServer(host, console, own, transport);
        try
        {
            if (transport is not null)
            {
                server.Server.UseTransport(transport);
            }

            if (time is not null)
            {
                server.Server.UseTime(time);
            }

            await host.StartAsync().WaitAsync(TestTimeouts.Hang);
            return server;
        }
        catch
        {
            await ((IAsyncDisposable)host).DisposeAsync();
            own?.Dispose();
            throw;
        }
    }

    public async Task StopAsync() => await _host.StopAsync().WaitAsync(TestTimeouts.Hang);

    public async ValueTask DisposeAsync()
    {
        await StopAsync();
        await ((IAsyncDisposable)_host).DisposeAsync();
        _ownDirectory?.Dispose();
    }

    public ITransport? Transport => _transport;

    public Task<TestClient> ConnectAsync() => TestClient.ConnectAsync(EndPoint, _transport);

    /// <summary>Connects and logs in without a password.</summary>
    public async Task<TestClient> LoginAsync(string name)
    {
        TestClient client = await ConnectAsync();
        await client.LoginAsync(name);
        return client;
    }
}
