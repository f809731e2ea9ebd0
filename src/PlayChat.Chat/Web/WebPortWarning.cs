namespace PlayChat.Chat.Web;

/// <summary>Warns at start when another program uses the port for browsers.</summary>
internal sealed class WebPortWarning(WebEndpoint endpoint, ILogger<WebPortWarning> logger) : IHostedService
{
    public Task StartAsync(CancellationToken cancellationToken)
    {
        if (endpoint.TakenPort is { } port)
        {
            ServerLog.WebPortTaken(logger, port);
        }

        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
