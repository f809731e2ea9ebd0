using System.Runtime.InteropServices;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using PlayChat.Server.Diagnostics;

namespace PlayChat.Server.Hosting;

/// <summary>SIGHUP: stops the server when its terminal has closed, and reloads the configuration otherwise.</summary>
/// <remarks>Without this handler the signal ends the process at once, with messages that players saw and the database has not.</remarks>
internal sealed class HangUp(
    Reloader reloader,
    ServiceNotifier notifier,
    IHostApplicationLifetime lifetime,
    ILogger<HangUp> logger) : IHostedService, IDisposable
{
    private readonly ControllingTerminal _terminal = new();
    private PosixSignalRegistration? _registration;

    public Task StartAsync(CancellationToken cancellationToken)
    {
        _registration = PosixSignalRegistration.Create(PosixSignal.SIGHUP, OnSignal);
        return Task.CompletedTask;
    }

    // The registration stays until the process ends: a second signal must not end a stop.
    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public void Dispose() => _registration?.Dispose();

    private void OnSignal(PosixSignalContext context)
    {
        context.Cancel = true;
        if (lifetime.ApplicationStopping.IsCancellationRequested)
        {
            return;
        }

        if (!_terminal.HasGone)
        {
            _ = ReloadAsync();
            return;
        }

        ServerLog.TerminalClosed(logger);
        lifetime.StopApplication();
        if (OperatingSystem.IsWindows())
        {
            lifetime.ApplicationStopped.WaitHandle.WaitOne(); // Windows ends the process when this method returns
        }
    }

    private async Task ReloadAsync()
    {
        notifier.BeginReload();
        await reloader.ReloadAsync(); // never throws
        notifier.EndReload();
    }
}
