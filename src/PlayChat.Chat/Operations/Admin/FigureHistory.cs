using PlayChat.Chat.Operations.Admin.Models;
using PlayChat.Kpi;

namespace PlayChat.Chat.Operations.Admin;

/// <summary>Takes the server's figures every two seconds and keeps those of the last 15 minutes. Thread-safe.</summary>
/// <remarks>
/// A snapshot takes some tenths of a millisecond. Only a server with an operations endpoint has this object, so others take none.
/// </remarks>
internal sealed class FigureHistory(PlayChatServer server, KpiExtras extras, TimeProvider time, ILogger<FigureHistory> logger)
    : IHostedLifecycleService, IDisposable
{
    public static readonly TimeSpan Interval = TimeSpan.FromSeconds(2);

    public const int Capacity = 450;

    private static readonly string[] s_latencyBounds = ["0.1 ms", "0.5 ms", "1 ms", "5 ms", "10 ms", "50 ms", "longer"];

    private readonly object _gate = new();
    private readonly Queue<Figures> _points = new(); // guarded by _gate, like the next two
    private KpiCollector? _collector;
    private KpiSnapshot? _latest;
    private PeriodicTimer? _timer;
    private Task _running = Task.CompletedTask;

    /// <summary>When the server began to count, in UTC.</summary>
    public DateTimeOffset StartedAt { get; private set; }

    public Task StartingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StartedAsync(CancellationToken cancellationToken)
    {
        lock (_gate)
        {
            _collector = new KpiCollector(server.Metrics, extras);
            _latest = _collector.Snapshot();
            StartedAt = _latest.Timestamp - _latest.Elapsed;
        }

        _timer = new PeriodicTimer(Interval, time);
        _running = RunAsync(_timer);
        return Task.CompletedTask;
    }

    public Task StoppingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public async Task StoppedAsync(CancellationToken cancellationToken)
    {
        Dispose();
        await _running;
    }

    public void Dispose() => _timer?.Dispose();

    /// <summary>The newest points, the oldest first.</summary>
    public FigureHistoryPage Read(int points)
    {
        if (points is < 1 or > Capacity)
        {
            throw AdminException.Invalid($"points is {points}; allowed is 1 to {Capacity}.");
        }

        lock (_gate)
        {
            return new FigureHistoryPage(Interval.TotalSeconds, s_latencyBounds, [.. _points.TakeLast(points)]);
        }
    }

    /// <summary>The newest figures. Before the first interval has passed they cover the time since the start.</summary>
    public Figures ReadLatest()
    {
        lock (_gate)
        {
            // Both are there: AdminFilter refuses requests until every service has started.
            return _points.Count > 0 ? _points.Last() : Describe(KpiInterval.Between(_latest!, _collector!.Snapshot()));
        }
    }

    private async Task RunAsync(PeriodicTimer timer)
    {
        while (await timer.WaitForNextTickAsync()) // until the timer is disposed
        {
            try
            {
                Take();
            }
            catch (Exception e)
            {
                // Of any kind: one reading of the system that fails must not end the history.
                ServerLog.FiguresNotTaken(logger, e);
            }
        }
    }

    private void Take()
    {
        lock (_gate)
        {
            KpiSnapshot now = _collector!.Snapshot();
            Figures point = Describe(KpiInterval.Between(_latest!, now));
            _latest = now;
            if (_points.Count == Capacity)
            {
                _points.Dequeue();
            }

            _points.Enqueue(point);
        }
    }

    private Figures Describe(KpiInterval interval)
    {
        KpiSnapshot now = interval.Later;
        KpiSnapshot before = interval.Earlier;
        LatencySummary latency = interval.Latency;
        double? operations = Sum(interval, static extra => IsDatabaseTotal(extra) && extra.Unit == "operations");
        double? databaseMs = Sum(interval, static extra => IsDatabaseTotal(extra) && extra.Unit == "ms");
        return new Figures(
            At: now.Timestamp,
            Connections: now.Connections,
            Sessions: now.Sessions,
            Away: server.Sessions.AwayCount,
            Rooms: now.Rooms,
            MessagesInPerSecond: Math.Round(interval.FramesReceivedPerSecond, 1),
            MessagesOutPerSecond: Math.Round(interval.FramesSentPerSecond, 1),
            BytesInPerSecond: Math.Round(interval.BytesReceivedPerSecond),
            BytesOutPerSecond: Math.Round(interval.BytesSentPerSecond),
            P50Ms: latency.Count == 0 ? null : latency.P50Microseconds / 1000,
            P99Ms: latency.Count == 0 ? null : latency.P99Microseconds / 1000,
            LatencyCounts: [.. latency.BucketCounts],
            CpuPercent: Math.Round(interval.CpuPercent, 1),
            WorkingSetBytes: now.Process.WorkingSetBytes,
            GcPauseMs: Math.Round(interval.GcPause.TotalMilliseconds, 2),
            SlowConsumers: now.SlowConsumers - before.SlowConsumers,
            Closed: now.ConnectionsClosed - before.ConnectionsClosed,
            Refused: now.ConnectionsRefused - before.ConnectionsRefused,
            HandlerFaults: now.HandlerFaults - before.HandlerFaults,
            RoomQueuePeak: interval.QueuePeak,
            ChatQueued: Find(interval, "chat queued"),
            ChatNotStored: Find(interval, "chat not stored"),
            DatabaseOperations: operations,
            DatabaseMs: operations > 0 ? Math.Round(databaseMs!.Value / operations.Value, 3) : null,
            DatabaseFailures: Find(interval, "db failures"),
            LogDropped: Find(interval, "log dropped"));
    }

    // "db append" and "db append ms", but neither "db append failures" nor the sums over all operations.
    private static bool IsDatabaseTotal(KpiExtra extra) =>
        extra is { IsTotal: true, IsDetail: true }
        && extra.Name.StartsWith("db ", StringComparison.Ordinal)
        && !extra.Name.EndsWith("failures", StringComparison.Ordinal);

    private static double? Find(KpiInterval interval, string name) => Sum(interval, extra => extra.Name == name);

    // A figure that could not be read is not a number, which JSON does not have.
    private static double? Sum(KpiInterval interval, Func<KpiExtra, bool> isMeant)
    {
        double? sum = null;
        foreach (KpiExtra extra in interval.Extras)
        {
            if (isMeant(extra) && double.IsFinite(extra.Value))
            {
                sum = (sum ?? 0) + extra.Value;
            }
        }

        return sum;
    }
}
