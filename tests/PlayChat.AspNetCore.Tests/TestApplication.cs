using System.Net;
using System.Net.WebSockets;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.TestUtilities.Transport;

namespace PlayChat.AspNetCore.Tests;

/// <summary>An application of ASP.NET Core with a server: a route /ws, and a second address that speaks the TCP protocol.</summary>
internal sealed class TestApplication : IAsyncDisposable
{
    private readonly WebApplication _application;

    private TestApplication(WebApplication application)
    {
        _application = application;
        Server = application.Services.GetRequiredService<PlayChatServer>();
        Uri[] addresses = [.. Addresses(application).Select(static address => new Uri(address))];
        Web = new IPEndPoint(IPAddress.Loopback, addresses[0].Port);
        Tcp = new IPEndPoint(IPAddress.Loopback, addresses[1].Port);
    }

    public PlayChatServer Server { get; }

    public IPEndPoint Web { get; }

    public IPEndPoint Tcp { get; }

    /// <summary>Starts an application.</summary>
    /// <param name="configure">Sets the server's framing and handlers.</param>
    /// <param name="services">Adds services of ASP.NET Core.</param>
    /// <param name="listen">Sets up both addresses.</param>
    /// <param name="map">Maps the route; by default with the default options.</param>
    /// <param name="kestrel">Adds addresses of Kestrel.</param>
    public static async Task<TestApplication> StartAsync(
        Action<PlayChatServer> configure,
        Action<IServiceCollection>? services = null,
        Action<ListenOptions>? listen = null,
        Action<WebApplication>? map = null,
        Action<KestrelServerOptions>? kestrel = null)
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.Services.AddPlayChat(configure, throwOnFailedStart: true);
        services?.Invoke(builder.Services);
        builder.WebHost.UseKestrelHttpsConfiguration();
        builder.WebHost.ConfigureKestrel(all =>
        {
            all.Listen(IPAddress.Loopback, 0, options => listen?.Invoke(options));
            all.Listen(IPAddress.Loopback, 0, options =>
            {
                listen?.Invoke(options);
                options.UsePlayChat();
            });
            kestrel?.Invoke(all);
        });
        WebApplication application = builder.Build();
        (map ?? (static app => app.MapPlayChat("/ws")))(application);
        await application.StartAsync();
        return new TestApplication(application);
    }

    public static void Echo(PlayChatServer server) => server
        .UseFraming(FrameFormat.LengthPrefixed(1 << 20))
        .OnFrame(static (connection, frame) => connection.Send(in frame));

    /// <summary>Connects a plain client without a subprotocol.</summary>
    public Task<ClientWebSocket> ConnectAsync() =>
        WebSocketPeer.ConnectAsync(Web, subprotocol: null).WaitAsync(TestTimeouts.Hang);

    public Task StopAsync(CancellationToken cancellationToken = default) => _application.StopAsync(cancellationToken);

    public ValueTask DisposeAsync() => _application.DisposeAsync();

    private static ICollection<string> Addresses(WebApplication application) =>
        application.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!.Addresses;
}
