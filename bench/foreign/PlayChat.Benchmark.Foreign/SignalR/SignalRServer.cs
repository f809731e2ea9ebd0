using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using PlayChat.Benchmark.Baselines;

namespace PlayChat.Benchmark.Foreign.SignalR;

/// <summary>SignalR in this process, on Kestrel, over WebSockets. It finds the request of an answer by its own invocation ids.</summary>
internal sealed class SignalRServer : IBaselineServer
{
    /// <summary>The hub's path.</summary>
    public const string Path = "/hub";

    private readonly WebApplication _application;

    private SignalRServer(WebApplication application, BaselineCounters counters)
    {
        _application = application;
        Counters = counters;
        string address = application.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!.Addresses.First();
        Port = new Uri(address).Port;
    }

    public int Port { get; }

    public BaselineCounters Counters { get; }

    /// <summary>Starts one.</summary>
    public static async Task<IBaselineServer> StartAsync(BaselineSettings settings)
    {
        WebApplicationBuilder builder = WebApplication.CreateEmptyBuilder(new WebApplicationOptions());
        builder.Logging.ClearProviders();
        builder.Services.AddRoutingCore();
        builder.Services.AddSingleton<BaselineCounters>();
        builder.Services.AddSingleton<SignalRRooms>();
        builder.Services.AddSignalR(static options => options.MaximumReceiveMessageSize = 2 * BaselineFraming.MaxBodyBytes);
        builder.WebHost.UseKestrelCore()
            .UseSockets(static sockets => sockets.Backlog = BaselineSettings.Backlog)
            .ConfigureKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, settings.Port));
        WebApplication application = builder.Build();
        application.MapHub<BenchmarkHub>(Path);
        await application.StartAsync();
        return new SignalRServer(application, application.Services.GetRequiredService<BaselineCounters>());
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
