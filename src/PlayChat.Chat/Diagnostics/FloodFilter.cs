using Serilog;
using Serilog.Core;
using Serilog.Events;
using ILogger = Serilog.ILogger;

namespace PlayChat.Chat.Diagnostics;

/// <summary>Bounds what others can make the server log: each event once for each source in a time, the rest as a number.</summary>
/// <remarks>
/// <para>The source of a line is the player it names, else the address (of IPv6 the /64 network), else none. Lines below Information pass:
/// an operator turns them on to see all of them. So do those of the <see cref="AuditLog"/>.</para>
/// <para>Memory is bounded: at most <see cref="MaxEvents"/> events have at most <see cref="LogSettings.LinesPerEvent"/> sources each, and a
/// source is forgotten when it has been silent for <see cref="LogSettings.RepeatAfter"/>. Thread-safe.</para>
/// </remarks>
internal sealed class FloodFilter(LogSettings settings, TimeProvider time) : ILogEventFilter, IHostedService, IDisposable
{
    /// <summary>Events beyond these pass unbounded. The server's own are fewer than a hundred.</summary>
    internal const int MaxEvents = 1000;

    private const string LeftOutProperty = "LinesLeftOut";

    private static readonly TimeSpan s_sweepInterval = TimeSpan.FromSeconds(1);

    private readonly Dictionary<string, EventLines> _events = []; // by message template; guarded by itself
    private ILogger? _log;
    private ITimer? _timer;
    private long _leftOut;

    /// <summary>Lines that were left out since the start.</summary>
    public long LeftOut => Interlocked.Read(ref _leftOut);

    /// <summary>Sets where the numbers of lines left out are logged: the logger that has this filter.</summary>
    public void LogTo(ILogger log) => _log = log;

    public bool IsEnabled(LogEvent logEvent)
    {
        string key = logEvent.MessageTemplate.Text;
        if (logEvent.Level < LogEventLevel.Information
            || logEvent.Properties.ContainsKey(LeftOutProperty)
            || AuditLog.Has(EventLines.NameOf(logEvent)))
        {
            return true;
        }

        string? source = SourceOf(logEvent);
        bool passes;
        lock (_events)
        {
            if (!_events.TryGetValue(key, out EventLines? lines))
            {
                if (_events.Count >= MaxEvents)
                {
                    return true;
                }

                lines = new EventLines(logEvent);
                _events.Add(key, lines);
            }

            passes = lines.TryTake(source, settings.LinesPerEvent, time.GetTimestamp());
        }

        if (!passes)
        {
            Interlocked.Increment(ref _leftOut);
        }

        return passes;
    }

    public Task StartAsync(CancellationToken cancellationToken)
    {
        _timer = time.CreateTimer(static state => ((FloodFilter)state!).Sweep(isLast: false), this, s_sweepInterval, s_sweepInterval);
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken)
    {
        Dispose();
        Sweep(isLast: true);
        return Task.CompletedTask;
    }

    public void Dispose() => _timer?.Dispose();

    private static string? SourceOf(LogEvent logEvent) =>
        EventLines.ValueOf(logEvent, "PlayerId") is long id and not 0 ? $"player {id}"
        : EventLines.ValueOf(logEvent, "RemoteEndPoint") is { } remote ? NetworkOf(remote.ToString()!)
        : EventLines.ValueOf(logEvent, "EndPoint")?.ToString();

    // The text is what Serilog keeps of an end point.
    private static string NetworkOf(string remote) =>
        IPEndPoint.TryParse(remote, out IPEndPoint? endPoint) ? ClientNetwork.Describe(endPoint) : remote;

    private void Sweep(bool isLast)
    {
        long now = time.GetTimestamp();
        List<LeftOutLines> reports = [];
        lock (_events)
        {
            foreach ((string key, EventLines lines) in _events)
            {
                lines.TakeReports(reports, isLast ? TimeSpan.Zero : settings.RepeatAfter, now, time);
                if (lines.IsEmpty)
                {
                    _events.Remove(key);
                }
            }
        }

        // Not under the lock: these lines pass this filter, too.
        foreach (LeftOutLines report in reports)
        {
            _log?.ForContext(Constants.SourceContextPropertyName, report.Context).Write(
                report.Level,
                "{Event}: " + $"{{{LeftOutProperty}:N0}}" + " more from {Source} in the last {Seconds} s.",
                report.Event,
                report.Count,
                report.Source,
                report.Seconds);
        }
    }
}
