using System.Net.Security;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Https;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;

namespace PlayChat.Chat.Operations;

/// <summary>The HTTP endpoint for operators: a small ASP.NET Core application beside the chat server.</summary>
/// <remarks>It is the first service to start and the last to stop, so it tells of a start and of a stop. Not made unless enabled.</remarks>
internal sealed class OperationsEndpoint(
    ServerSettings settings,
    IEnumerable<IOperationsPart> parts,
    ILoggerFactory loggers,
    TimeProvider time,
    ILogger<OperationsEndpoint> logger) : IHostedService
{
    private const int MaxConnections = 1000;
    private const int MaxBodyBytes = 1024 * 1024;

    private WebApplication? _application;
    private ITimer? _watch; // of the certificate

    /// <summary>The endpoint's address with the port that it has; <see langword="null"/> before it has started.</summary>
    public Uri? Address { get; private set; }

    /// <summary>The certificate; <see langword="null"/> if the endpoint speaks plain HTTP.</summary>
    public OperationsCertificate? Certificate { get; } =
        settings.Operations.CertificatePath.Length > 0 ? new OperationsCertificate(settings.Operations) : null;

    /// <exception cref="StartException">The certificate or the token is unusable, or listening on the address failed.</exception>
    public async Task StartAsync(CancellationToken cancellationToken)
    {
        OperationsToken.CreateFile(settings.Operations);
        string token = OperationsToken.Read(settings.Operations);
        WebApplication application = Build(token);
        try
        {
            await application.StartAsync(cancellationToken);
        }
        catch (Exception e) when (e is IOException or System.Net.Sockets.SocketException)
        {
            await application.DisposeAsync();
            throw new StartException(
                $"The operations endpoint cannot listen on {settings.Operations.Address}: {e.GetBaseException().Message}. Stop the "
                    + "program that has the port, perhaps another server, or set another Operations:Address, or Operations:Enabled=false.",
                e);
        }

        _application = application;
        _watch = Certificate?.Watch(time, logger);
        Address = new Uri(Url(application).Replace("//[::]:", "//localhost:", StringComparison.Ordinal)
            .Replace("//0.0.0.0:", "//127.0.0.1:", StringComparison.Ordinal));
        ServerLog.OperationsListening(logger, Address);
        if (token.Length == 0)
        {
            ServerLog.OperationsOpen(logger, Address);
        }
    }

    public async Task StopAsync(CancellationToken cancellationToken)
    {
        if (_application is { } application)
        {
            _application = null;
            if (_watch is not null)
            {
                await _watch.DisposeAsync();
            }

            await application.StopAsync(cancellationToken);
            await application.DisposeAsync();
        }
    }

    // Kestrel has no address of a passed socket. The socket was found by the configured address, so that is its address.
    private string Url(WebApplication application) => settings.Operations.Descriptor is null
        ? application.Urls.First()
        : $"{(Certificate is null ? "http" : "https")}://{OperationsAddress.Check(settings.Operations)}";

    private WebApplication Build(string token)
    {
        IPEndPoint endPoint = OperationsAddress.Check(settings.Operations);
        // Empty: no configuration of ASP.NET Core's own, so no variable of the environment opens another address.
        WebApplicationBuilder builder = WebApplication.CreateEmptyBuilder(new WebApplicationOptions());
        builder.WebHost.UseKestrelCore();
        if (Certificate is not null)
        {
            _ = Certificate.Current; // an unusable one fails the start
            builder.WebHost.UseKestrelHttpsConfiguration();
        }

        builder.WebHost.ConfigureKestrel(kestrel =>
        {
            kestrel.AddServerHeader = false;
            kestrel.Limits.MaxConcurrentConnections = MaxConnections;
            kestrel.Limits.MaxRequestBodySize = MaxBodyBytes;
            // Short, so that silent connections do not take the places of operators and health checks.
            kestrel.Limits.KeepAliveTimeout = TimeSpan.FromSeconds(15);
            kestrel.Limits.RequestHeadersTimeout = TimeSpan.FromSeconds(5);
            if (settings.Operations.Descriptor is { } descriptor)
            {
                kestrel.ListenHandle((ulong)descriptor, UseCertificate);
            }
            else
            {
                kestrel.Listen(endPoint, UseCertificate);
            }
        });
        builder.Services.AddRoutingCore();
        builder.Services.RemoveAll<IHostLifetime>().AddSingleton<IHostLifetime, NoLifetime>();
        builder.Services.RemoveAll<ILoggerFactory>().AddSingleton(loggers);
        WebApplication application = builder.Build();
        var guard = new OperationsGuard(token, OperationsKey.Read(settings.Operations), time, logger);
        application.UseRouting();
        application.Use(guard.InvokeAsync);
        foreach (IOperationsPart part in parts)
        {
            part.Map(application);
        }

        return application;
    }

    private void UseCertificate(ListenOptions listen)
    {
        if (Certificate is { } certificate)
        {
            listen.UseHttps(new TlsHandshakeCallbackOptions
            {
                OnConnection = _ => ValueTask.FromResult(
                    new SslServerAuthenticationOptions { ServerCertificateContext = certificate.Current }),
            });
        }
    }

    /// <summary>Leaves signals to the chat server's own host: it stops the operations endpoint last.</summary>
    private sealed class NoLifetime : IHostLifetime
    {
        public Task WaitForStartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

        public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
    }
}
