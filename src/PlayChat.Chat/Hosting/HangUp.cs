using System.Runtime.InteropServices;

namespace PlayChat.Chat.Hosting;

/// <summary>SIGHUP: stops the server when its terminal has closed, and reloads the configuration otherwise.</summary>
/// <remarks>
/// <para>Without this handler the signal ends the process at once, with messages that players saw and the database has not.</para>
/// <para>The runtime installs no handler for a signal that the process was started to ignore, as <c>nohup</c> does. That stays so: the
/// operator wants such a server to outlive its terminal. The log says that it does not reload either.</para>
/// </remarks>
internal sealed class HangUp(
    Reloader reloader,
    ServiceNotifier notifier,
    IHostApplicationLifetime lifetime,
    ILogger<HangUp> logger) : IHostedService, IDisposable
{
    private const string ProcessStatus = "/proc/self/status"; // Linux

    private readonly ControllingTerminal _terminal = new();
    private PosixSignalRegistration? _registration;

    public Task StartAsync(CancellationToken cancellationToken)
    {
        if (File.Exists(ProcessStatus) && IsIgnored(File.ReadLines(ProcessStatus)))
        {
            ServerLog.HangUpIgnored(logger);
        }

        _registration = PosixSignalRegistration.Create(PosixSignal.SIGHUP, OnSignal);
        return Task.CompletedTask;
    }

    /// <summary>Whether a process ignores SIGHUP.</summary>
    /// <param name="status">The lines of its status: proc(5).</param>
    internal static bool IsIgnored(IEnumerable<string> status)
    {
        const string Mask = "SigIgn:"; // a bit for each signal, in hexadecimal; SIGHUP is number 1
        string? line = status.FirstOrDefault(static line => line.StartsWith(Mask, StringComparison.Ordinal));
        return line is not null
            && ulong.TryParse(
                line.AsSpan(Mask.Length).Trim(), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out ulong signals)
            && (signals & 1) != 0;
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
