using System.Diagnostics;
using System.Net.Sockets;
using Microsoft.Extensions.Hosting.Systemd;

namespace PlayChat.Chat.Hosting;

/// <summary>Tells systemd how the server is: ready, reloading, stopping, alive (sd_notify(3)). Does nothing without systemd.</summary>
/// <remarks>
/// The watchdog is told from the thread pool, so a server whose thread pool is stuck is restarted: <c>/healthz/live</c> would not answer
/// either. Thread-safe.
/// </remarks>
internal sealed class ServiceNotifier(
    PlayChatServer server,
    IHostApplicationLifetime lifetime,
    TimeProvider time,
    ILogger<ServiceNotifier> logger) : IHostedService, IDisposable
{
    private static readonly TimeSpan s_statusInterval = TimeSpan.FromSeconds(10);

    private readonly SystemdNotifier _systemd = new();
    private readonly TimeSpan? _watchdog = ReadWatchdog();
    private readonly object _gate = new(); // the messages arrive in the order of the state's changes
    private State _state; // guarded by _gate
    private bool _hasServed; // guarded by _gate; before, the server has no sessions and no addresses to tell of
    private bool _hasFailed; // guarded by _gate
    private ITimer? _beat;

    private enum State
    {
        Starting,
        Serving,
        Reloading,
        Stopping,
    }

    public Task StartAsync(CancellationToken cancellationToken)
    {
        if (_systemd.IsEnabled)
        {
            Change(State.Starting, State.Starting);
            lifetime.ApplicationStarted.Register(() => Change(State.Starting, State.Serving));
            lifetime.ApplicationStopping.Register(() => Change(null, State.Stopping));
            TimeSpan interval = _watchdog / 2 is { } half && half < s_statusInterval ? half : s_statusInterval;
            _beat = time.CreateTimer(static notifier => ((ServiceNotifier)notifier!).Beat(), this, interval, interval);
        }

        return Task.CompletedTask;
    }

    // The beats continue until the process ends: a stop that takes long is alive as well.
    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public void Dispose() => _beat?.Dispose();

    /// <summary>Says that the configuration is being read again.</summary>
    public void BeginReload() => Change(State.Serving, State.Reloading);

    /// <summary>Says that the reload is done, whether or not it has changed anything.</summary>
    public void EndReload() => Change(State.Reloading, State.Serving);

    private static TimeSpan? ReadWatchdog()
    {
        string? pid = Environment.GetEnvironmentVariable("WATCHDOG_PID");
        return (pid is null || pid == Environment.ProcessId.ToString(CultureInfo.InvariantCulture))
            && long.TryParse(
                Environment.GetEnvironmentVariable("WATCHDOG_USEC"), NumberStyles.None, CultureInfo.InvariantCulture, out long microseconds)
            && microseconds > 0
                ? TimeSpan.FromMicroseconds(microseconds)
                : null;
    }

    /// <summary>Enters a state, if the server is in the one before. A stop comes after every state.</summary>
    /// <remarks>So a reload during the start or the stop does not make the server look ready.</remarks>
    private void Change(State? from, State state)
    {
        lock (_gate)
        {
            if (!_systemd.IsEnabled || (from is not null && from != _state))
            {
                return;
            }

            _state = state;
            _hasServed |= state == State.Serving;
            string change = state switch
            {
                State.Starting => "",
                State.Serving => "READY=1\n",
                // The stopwatch reads CLOCK_MONOTONIC on Linux, in nanoseconds.
                State.Reloading => string.Create(
                    CultureInfo.InvariantCulture, $"RELOADING=1\nMONOTONIC_USEC={Stopwatch.GetTimestamp() / 1000}\n"),
                _ => "STOPPING=1\n",
            };
            Send(change + Status());
        }
    }

    private void Beat()
    {
        lock (_gate)
        {
            Send((_watchdog is null ? "" : "WATCHDOG=1\n") + Status());
        }
    }

    private string Status() => _state switch
    {
        State.Starting => "STATUS=Starting",
        State.Serving => string.Create(
            CultureInfo.InvariantCulture, $"STATUS=Serving {server.Sessions.Count} sessions on {string.Join(", ", server.EndPoints)}"),
        State.Reloading => "STATUS=Reading the configuration again",
        _ when !_hasServed => "STATUS=Stopping before the start was done",
        _ => string.Create(CultureInfo.InvariantCulture, $"STATUS=Stopping, {server.Sessions.Count} sessions are left"),
    };

    private void Send(string message)
    {
        try
        {
            _systemd.Notify(new ServiceState(message));
        }
        catch (SocketException e)
        {
            if (!_hasFailed)
            {
                _hasFailed = true;
                ServerLog.ServiceManagerNotTold(logger, e.Message);
            }
        }
    }
}
