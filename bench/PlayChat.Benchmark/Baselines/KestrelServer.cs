using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace PlayChat.Benchmark.Baselines;

/// <summary>Kestrel with a ConnectionHandler of its own: its sockets, its pipes, its scheduling.</summary>
/// <remarks>
/// Bounds: Kestrel's own of both pipes (1 MB of input, 64 KB of output), and the outbox where others broadcast to a connection.
/// </remarks>
internal sealed class KestrelServer : IBaselineServer
{
    private readonly WebApplication _application;

    private KestrelServer(WebApplication application, BaselineHub hub)
    {
        _application = application;
        Counters = hub.Counters;
        string address = application.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!.Addresses.First();
        Port = new Uri(address).Port;
    }

    public int Port { get; }

    public BaselineCounters Counters { get; }

    public static async Task<IBaselineServer> StartAsync(BaselineSettings settings)
    {
        var hub = new BaselineHub(settings);
        WebApplicationBuilder builder = WebApplication.CreateEmptyBuilder(new WebApplicationOptions());
        builder.Logging.ClearProviders();
        builder.Services.AddSingleton(hub);
        builder.WebHost.UseKestrelCore()
            .UseSockets(static sockets => sockets.Backlog = BaselineSettings.Backlog)
            .ConfigureKestrel(kestrel => kestrel.Listen(
                IPAddress.Loopback, settings.Port, listener => Use(listener, settings)));
        if (settings.Certificate is not null)
        {
            builder.WebHost.UseKestrelHttpsConfiguration();
        }

        WebApplication application = builder.Build();
        await application.StartAsync();
        return new KestrelServer(application, hub);
    }

    private static void Use(ListenOptions listener, BaselineSettings settings)
    {
        if (settings.Certificate is not null)
        {
            listener.UseHttps(settings.Certificate);
        }

        if (settings.Mode == BaselineMode.Chat)
        {
            listener.UseConnectionHandler<KestrelPackets>();
        }
        else
        {
            listener.UseConnectionHandler<KestrelConnections>();
        }
    }

    public async ValueTask DisposeAsync()
    {
        // Without patience for connections that are still open.
        using var now = new CancellationTokenSource();
        await now.CancelAsync();
        await _application.StopAsync(now.Token);
        await _application.DisposeAsync();
    }
}
