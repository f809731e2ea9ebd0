using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using PlayChat.Chat;
using PlayChat.Core.Hosting;
using PlayChat.Testing;

namespace PlayChat.Simulation.Chat;

/// <summary>The host of a chat server.</summary>
internal sealed class ChatServer
{
    private readonly ChatWorld _world;
    private readonly string _name;
    private readonly SimulatedNetwork _network;
    private readonly CountingPool _pool = new();
    private readonly WorldLog _log;
    private readonly IHost _host;

    internal ChatServer(
        ChatWorld world,
        string name,
        SimulatedNetwork network,
        TimeProvider clock,
        IReadOnlyDictionary<string, string?> settings,
        Action<IServiceCollection>? addServices = null,
        Func<bool>? mayFail = null)
    {
        (_world, _name, _network) = (world, name, network);
        HostApplicationBuilder builder = Host.CreateApplicationBuilder(new HostApplicationBuilderSettings { DisableDefaults = true });
        builder.Configuration.AddInMemoryCollection(settings);
        _log = new WorldLog(world, name, mayFail);
        builder.Logging.AddProvider(_log).SetMinimumLevel(LogLevel.Information);
        builder.Services.AddSingleton(clock).AddSingleton<IHostLifetime, NoLifetime>();
        builder.Services.AddChat(
            builder.Configuration, chat => chat.ConfigureServer(server => server.UseTransport(network).UseTime(clock).UsePool(_pool)));
        addServices?.Invoke(builder.Services);
        _host = builder.Build();
    }

    internal PlayChatServer Server => _host.Services.GetRequiredService<PlayChatServer>();

    internal Task StartAsync() => _host.StartAsync();

    internal Task StopAsync() => _host.StopAsync();

    /// <summary>The server has stopped, and nothing of it is left.</summary>
    internal void CheckEnded()
    {
        _world.Judge.Require(
            _pool.InUse == 0 || _log.HasLeftHandlers,
            "buffers come back", $"{_name}: {_pool.InUse} of {_pool.Rents} buffers are still rented");
        _world.Judge.Require(
            _network.Open.Count == 0 || _log.HasLeftHandlers, "links are let go", $"{_name}: {_network.Open.Count} links are not disposed");
    }

    /// <summary>Frees what the host has. One that has not stopped would wait for time that does not pass any more.</summary>
    internal void Dispose() => _host.Dispose();

    private sealed class NoLifetime : IHostLifetime
    {
        public Task WaitForStartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

        public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
    }
}
