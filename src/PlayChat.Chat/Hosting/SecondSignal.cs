using System.Runtime.InteropServices;
using PlayChat.Chat.Cli;

namespace PlayChat.Chat.Hosting;

/// <summary>A second SIGTERM or Ctrl+C ends the process at once, for an operator that cannot wait for an orderly stop.</summary>
/// <remarks>
/// Programs such as <c>timeout</c> send one signal to the process and to its group, so it arrives twice. Within a second, signals count as
/// one.
/// </remarks>
internal sealed class SecondSignal(TimeProvider time) : IHostedService, IDisposable
{
    private static readonly TimeSpan s_sameSignal = TimeSpan.FromSeconds(1);

    private readonly object _gate = new();
    private readonly List<PosixSignalRegistration> _registrations = [];
    private long? _first; // guarded by _gate

    public Task StartAsync(CancellationToken cancellationToken)
    {
        _registrations.Add(PosixSignalRegistration.Create(PosixSignal.SIGTERM, OnSignal));
        _registrations.Add(PosixSignalRegistration.Create(PosixSignal.SIGINT, OnSignal));
        return Task.CompletedTask;
    }

    // The registrations stay until the process ends: the second signal comes during the stop.
    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public void Dispose() => _registrations.ForEach(static registration => registration.Dispose());

    // The host's own handler begins the stop at the first signal.
    private void OnSignal(PosixSignalContext context)
    {
        context.Cancel = true;
        lock (_gate)
        {
            long now = time.GetTimestamp();
            _first ??= now;
            if (time.GetElapsedTime(_first.Value, now) < s_sameSignal)
            {
                return;
            }
        }

        // Not logged: the log writes in the background, and there is no more time for it.
        Console.Error.WriteLine("A second signal came: the server ends at once. Messages that were not stored are lost.");
        Environment.Exit(ExitCode.Failed);
    }
}
