using Microsoft.Extensions.Hosting;
using PlayChat.Core.Dispatch;

namespace PlayChat.Core.Hosting;

/// <summary>Starts and stops a server with the host.</summary>
/// <param name="server">Makes the server, whose options are read then.</param>
/// <param name="lifetime">Ends the host after a failed start.</param>
/// <param name="logger">Receives the one line about a failed start.</param>
/// <param name="throwsOnFailedStart">Whether the start of the host fails instead.</param>
internal sealed class PlayChatHostedService(
    Func<PlayChatServer> server, IHostApplicationLifetime lifetime, ILogger logger, bool throwsOnFailedStart) : IHostedService
{
    private PlayChatServer? _server;

    public async Task StartAsync(CancellationToken cancellationToken)
    {
        try
        {
            _server = server();
            await _server.StartAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e) when ((e is OptionsException or ListenFailedException || MappingFault.Is(e))
            && !throwsOnFailedStart && logger.IsEnabled(LogLevel.Critical))
        {
            // The operator must mend a setting or free a port, or the developer a mapping that the message names. A stack trace and an
            // aborted process would hide that.
            HostingLog.StartFailed(logger, e.Message);
            Environment.ExitCode = 1;
            lifetime.StopApplication();
        }
    }

    public Task StopAsync(CancellationToken cancellationToken) => _server?.StopAsync(cancellationToken) ?? Task.CompletedTask;
}
