using System.Diagnostics;
using System.Text.Json.Nodes;
using PlayChat.Benchmark.Failures;
using PlayChat.Benchmark.Fanout;
using PlayChat.Benchmark.Figures;
using PlayChat.Benchmark.Pacing;
using PlayChat.Benchmark.Run;
using PlayChat.Benchmark.Servers;
using PlayChat.Kpi;

namespace PlayChat.Benchmark.Classroom.Parts;

/// <summary>The classroom with its connections in client processes: as many each, and the observer in one of its own.</summary>
/// <remarks>
/// The processes share the machine's monotonic clock, so a delivery's latency counts from its sender's planned time wherever the receiver
/// is. Each process checks what its connections receive against what the connections of all processes have sent.
/// </remarks>
internal sealed class ClassroomProcesses : IScenario
{
    private const int MaxNamed = 20;

    private readonly ClassroomSettings _settings;
    private readonly Func<ServerAddress, int, int, PartOrder> _order;
    private readonly (int First, int Own)[] _slices;
    private readonly int[] _connected;
    private readonly FaultLog _faults = new();
    private readonly List<string> _partFaults = [];
    private readonly StalledReader[] _stalled;
    private PartProcess[] _parts = [];
    private Task _started = Task.CompletedTask;
    private MeasureWindow _window = null!; // set when the load starts
    private JsonObject[] _figures = []; // of each process, when it is over
    private SentCounts _sent = new([], []);
    private double _connectSeconds;

    /// <param name="settings">The load of all processes.</param>
    /// <param name="processes">The client processes, without the observer's.</param>
    /// <param name="order">Says what a process does, by the server, its first connection and their number.</param>
    public ClassroomProcesses(ClassroomSettings settings, int processes, Func<ServerAddress, int, int, PartOrder> order)
    {
        _settings = settings;
        _order = order;
        int each = settings.Clients / processes;
        _slices =
        [
            .. Enumerable.Range(0, processes).Select(process => (process * each, each)),
            .. settings.HasObserver ? [(settings.Clients, 1)] : Array.Empty<(int, int)>(),
        ];
        _connected = new int[_slices.Length];
        _stalled = Enumerable.Range(0, settings.Stalled).Select(static _ => new StalledReader()).ToArray();
    }

    public string Name => "classroom";

    // The plan has no end of its own.
    public Task Finished { get; } = new TaskCompletionSource().Task;

    public IReadOnlyList<string> Faults => [.. _faults.Texts, .. _partFaults];

    private int Served => _connected.Sum();

    public async Task ConnectAsync(ServerAddress server, Action<int> connected, CancellationToken cancellationToken)
    {
        long began = Stopwatch.GetTimestamp();
        _parts = _slices.Select((slice, index) => PartProcess.Start(_order(server, slice.First, slice.Own), count =>
        {
            // A process says its counts in any order, because several of its connections may be served at once.
            _connected[index] = Math.Max(_connected[index], count);
            connected(Served);
        })).ToArray();
        string?[] problems = await Task.WhenAll(_parts.Select(part => part.WaitReadyAsync(cancellationToken)));
        _connectSeconds = Stopwatch.GetElapsedTime(began).TotalSeconds;
        if (Served == 0)
        {
            throw new UsageException(Array.Find(problems, static problem => problem is not null) ?? $"{server} served no connection.");
        }

        foreach (StalledReader reader in _stalled)
        {
            await reader.ConnectAsync(server, cancellationToken);
        }
    }

    public void Start(RunClock clock, MeasureWindow window)
    {
        _window = window;
        _started = StartAsync(clock, window);
    }

    public async Task<bool> DrainAsync(TimeSpan timeout)
    {
        Array.ForEach(_parts, part => part.Cut(_window.EndNanoseconds)); // changes nothing unless the run was interrupted
        try
        {
            await _started;
            SentCounts[] counts = await Task.WhenAll(_parts.Select(static part => part.Stopped));
            _sent = new SentCounts(
                counts.SelectMany(static part => part.Sent).ToArray(), counts.SelectMany(static part => part.Measured).ToArray());
            long expected = _sent.Sent.Sum(static sent => (long)sent) * Served;
            bool drained = await Drain.WaitAsync(() => _parts.Sum(static part => part.Live.Received) >= expected, timeout);
            await Drain.WaitForResetsAsync(() => Array.TrueForAll(_stalled, static reader => reader.IsReset));
            _figures = await Task.WhenAll(_parts.Select(part => part.FinishAsync(_sent)));
            _partFaults.AddRange(_figures.SelectMany(static part => part["faults"]!.AsArray().Select(static fault => (string)fault!)));
            return drained;
        }
        catch (RunFailedException e)
        {
            _faults.Add(e.Message); // the other processes have nothing to compare with, so there are no figures
            return false;
        }
    }

    public LiveFigures Read()
    {
        var latency = new LatencyHistogram();
        LiveFigures[] live = _parts.Select(static part => part.Live).ToArray();
        Array.ForEach(live, part => latency.Add(part.Latency));
        return new LiveFigures(
            live.Sum(static part => part.Sent),
            live.Sum(static part => part.Received),
            _faults.Count + live.Sum(static part => part.Faults),
            latency);
    }

    public void WriteSettings(JsonObject report)
    {
        report["clients"] = _settings.Clients;
        report["rooms"] = _settings.Rooms;
        report["rps"] = _settings.MessagesPerSecond;
        report["mix"] = _settings.Payloads.Text;
        report["seed"] = _settings.Seed;
    }

    public bool WriteFigures(JsonObject report, RunOutcome outcome)
    {
        var figures = new CrowdFigures(
            _sent.Measured.Sum(static sent => (long)sent),
            Sum("deliveries"),
            _sent.Measured.Sum(static sent => (long)sent) * Served,
            Sum("lost"),
            Sum("duplicated"),
            Sum("reordered"),
            Sum("corrupted"));
        figures.Write(report, outcome);
        report["errors"] = _faults.Count + Sum("errors");
        report["drain_timeout"] = !outcome.Drained;
        LatencySummary latency = Histogram("latency").Summarize();
        report["latency_us"] = JsonFigures.Latency(latency);
        report["latency_buckets"] = JsonFigures.Buckets(latency);
        GeneratorLag.Write(report, Histogram("lag").Summarize(), _settings.MaxLag);
        report["deliveries_per_io"] = JsonFigures.Round(outcome.Server?.DeliveriesPerSend);
        report["connecting"] = new JsonObject
        {
            ["asked"] = _settings.Readers,
            ["at_once"] = _settings.ConnectAtOnce,
            ["served"] = Served,
            ["failed"] = _settings.Readers - Served,
            ["seconds"] = JsonFigures.Round(_connectSeconds),
        };
        report["observer"] = _settings.HasObserver && _figures.Length > 0 ? _figures[^1]["observer"]!.DeepClone() : null;
        report["stalled"] = _stalled.Length == 0 ? null : new JsonObject
        {
            ["clients"] = _stalled.Length,
            ["reset"] = _stalled.Count(static reader => reader.IsReset),
        };
        JsonNode[] missing = _figures.SelectMany(static part => part["fanout"]!["missing"]!.AsArray())
            .Take(MaxNamed).Select(static one => one!.DeepClone()).ToArray();
        report["fanout"] = Fanout(figures.Expected, latency, missing);
        report["client_processes"] = ClientProcesses();
        bool all = (outcome.Drained || outcome.Interrupted) && missing.Length == 0 && _figures.Length == _parts.Length;
        return figures.IsGood && all && (long)report["errors"]! == 0 && (bool)report["valid"]!;
    }

    public async ValueTask DisposeAsync()
    {
        _faults.Close();
        foreach (PartProcess part in _parts)
        {
            await part.DisposeAsync();
        }

        Array.ForEach(_stalled, static reader => reader.Dispose());
    }

    private async Task StartAsync(RunClock clock, MeasureWindow window)
    {
        // No connection sends before all are ready to receive.
        await Task.WhenAll(_parts.Select(part => part.PrepareAsync(clock, window)));
        Array.ForEach(_parts, static part => part.StartSending());
    }

    // One room; when the last member had a message is known to no process alone.
    private JsonObject Fanout(long expected, LatencySummary latency, JsonNode[] missing) => new()
    {
        ["expected"] = expected,
        ["delivered"] = Sum("fanout", "delivered"),
        ["late"] = Sum("fanout", "late"),
        ["late_limit_ms"] = JsonFigures.Round(_settings.Late.TotalMilliseconds),
        ["twice"] = Sum("fanout", "twice"),
        ["out_of_order"] = Sum("fanout", "out_of_order"),
        ["last_member_us"] = null,
        ["last_member_one_in"] = null,
        ["median_room_p99_us"] = JsonFigures.Round(latency.P99Microseconds),
        ["slowest_room_p99_us"] = JsonFigures.Round(latency.P99Microseconds),
        ["slowest_room"] = 0,
        ["slowest_by_median"] = 1,
        ["stalled_readers"] = _stalled.Length,
        ["missing"] = new JsonArray(missing),
    };

    private JsonObject ClientProcesses() => new()
    {
        ["processes"] = _parts.Length,
        ["cpu_percent"] = JsonFigures.Round(_figures.Sum(static part => (double?)part["client"]!["cpu_percent"] ?? 0)),
        ["peak_working_set_mb"] = JsonFigures.Round(_figures.Sum(static part => (double?)part["client"]!["peak_working_set_mb"] ?? 0), 1),
        ["gc0"] = Sum("client", "gc0"),
        ["gc1"] = Sum("client", "gc1"),
        ["gc2"] = Sum("client", "gc2"),
    };

    private long Sum(string key) => _figures.Sum(part => (long)part[key]!);

    private long Sum(string owner, string key) => _figures.Sum(part => (long)part[owner]![key]!);

    private LatencyHistogram Histogram(string key)
    {
        var sum = new LatencyHistogram();
        Array.ForEach(_figures, part => sum.Add(HistogramJson.Read(part[key]!)));
        return sum;
    }
}
