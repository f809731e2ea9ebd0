using static System.FormattableString;

namespace PlayChat.Benchmark.Experiments.ClassroomBroadcast;

/// <summary>Every message to every connection.</summary>
internal static class ClassroomBroadcastExperiment
{
    /// <summary>The command's name.</summary>
    public const string Name = "classroom-broadcast";

    private const string Original = "Java NIO";

    private static readonly Figure[] s_figures =
    [
        new("observer_average_ms", "observer's average", "ms", "observer.average_ms", Better.Lower),
        new("observer_max_ms", "observer's maximum", "ms", "observer.max_ms", Better.Lower),
        new("observer_min_ms", "observer's minimum", "ms", "observer.min_ms", Better.Lower),
        new("observer_sum_ms", "observer's sum", "ms", "observer.sum_ms", Better.Lower),
        new("observer_count", "its messages", "", "observer.count", Better.Higher),
        new("p99_us", "p99 of all deliveries", "µs", "latency_us.p99", Better.Lower),
        new("deliveries_per_s", "deliveries", "/s", "deliveries_per_s", Better.Higher),
        new("lost", "lost", "", "lost", Better.Lower),
        new("server_cpu_us_per_delivery", "server CPU a delivery", "µs", "server.cpu_us_per_delivery", Better.Lower),
        new("peak_working_set_mb", "server memory", "MB", "server.peak_working_set_mb", Better.Lower),
        new("served", "connections served", "", "connecting.served", Better.Higher),
        new("connect_s", "until all were served", "s", "connecting.seconds", Better.Lower),
        new("stalled_closed", "stalled readers closed", "", "stalled.reset", Better.Higher),
    ];

    private static readonly Chart[] s_charts =
    [
        new(ChartKind.Cases, "The observer's average round trip", ["observer_average_ms"], Logarithmic: true),
        new(ChartKind.Cases, "Server's CPU time a delivery", ["server_cpu_us_per_delivery"]),
        new(ChartKind.Time, "The server's memory during a run", ["server_working_set_bytes"]),
    ];

    /// <summary>Makes the experiment.</summary>
    /// <param name="parameters">Its parameters.</param>
    /// <param name="settings">The settings that every experiment has.</param>
    public static Experiment Create(ClassroomBroadcastParameters parameters, ExperimentSettings settings)
    {
        IReadOnlyList<string> subjects = Subjects.Serving(settings.Subjects([Subjects.NativeLinux, .. Subjects.Baselines]), "classroom");
        string[] connections = ["--connections", Invariant($"{parameters.Connections}")];
        string[] times = ["--warmup", Invariant($"{parameters.Warmup}"), "--duration", Invariant($"{parameters.Duration}")];
        string[] size = ["--size", Invariant($"{parameters.Bytes}")];
        string[] Crowd(int processes) =>
        [
            "classroom", "--processes", Invariant($"{processes}"), .. parameters.UsesProcesses ? Array.Empty<string>() : ["--one-process"],
            .. connections, "--max-lag", parameters.MaxLag,
        ];
        string[] Load(int processes) => [.. Crowd(processes), .. size, "--rps", Invariant($"{parameters.MessagesPerSecond}"), .. times];
        int burstProcesses = Math.Max(1, parameters.Burst / parameters.Connections);
        ExperimentRun[] runs =
        [
            .. parameters.Pools.Select(pool => new ExperimentRun(
                ExperimentRun.Ours,
                Pool(pool.Workers, pool.Processes, parameters),
                [.. Load(pool.Processes), "--workers", Invariant($"{pool.Workers}")])),
            .. parameters.Processes.SelectMany(processes => subjects.Select(subject => new ExperimentRun(
                subject, Invariant($"{processes}×{parameters.Connections}"), [.. Load(processes), .. Subjects.Arguments(subject)]))),
            // Each connection sends little, because every message is delivered to every connection.
            new(
                ExperimentRun.Ours,
                Invariant($"{parameters.Burst} connects at one instant"),
                [
                    .. Crowd(burstProcesses), .. size, "--rps", "0.1", "--observer-rps", "1",
                    "--connect-at-once", Invariant($"{parameters.Burst + 1}"), "--warmup", "0", "--duration", "2",
                ]),
            // 2 MB per second to each connection, as published.
            new(
                ExperimentRun.Ours,
                Invariant($"{parameters.StalledReaders} readers stop"),
                [
                    .. Crowd(1), "--size", "1024", "--rps", "40", "--stalled-readers", Invariant($"{parameters.StalledReaders}"),
                    "--interval", "1", "--warmup", "0", "--duration", Invariant($"{Math.Max(5, parameters.Duration)}"),
                ]),
        ];
        return new Experiment(
            Name,
            "Classroom broadcast",
            "A Java NIO server with client processes on machines of a classroom.",
            Invariant($"Every connection sends {parameters.Bytes} bytes {parameters.MessagesPerSecond:0.###} times per second, ")
            + "and every message goes to every connection; an observer measures its own round trip. "
            + "The cases with a number of threads run PlayChat with that many worker threads (--workers); "
            + "in the others each server decides. Two more cases repeat published faults: all connections are made at one instant, "
            + "and readers stop reading, which must neither keep others out nor let the memory grow.",
            runs,
            s_figures,
            Published(parameters),
            s_charts)
        {
            Sweeps = parameters.Pools
                .GroupBy(static pool => pool.Processes)
                .Where(static pools => pools.Count() > 1)
                .Select(pools => new Sweep(
                    Invariant($"threads, {pools.Key}×{parameters.Connections}"),
                    s_figures[0].Key,
                    pools.Select(pool => (pool.Workers, Pool(pool.Workers, pool.Processes, parameters))).ToArray()))
                .ToArray(),
        };
    }

    private static string Pool(int workers, int processes, ClassroomBroadcastParameters parameters) =>
        Invariant($"{workers} thread{(workers == 1 ? string.Empty : "s")}, {processes}×{parameters.Connections}");

    private static PublishedFigure[] Published(ClassroomBroadcastParameters parameters)
    {
        // As published: the observer's sum in seconds, its messages, and maximum, minimum and average in seconds.
        (int Workers, int Processes, double Sum, double Count, double Max, double Min, double Average)[] observers =
        [
            (1, 4, 22.603033, 67, 0.566161, 0.175369, 0.337359),
            (1, 5, 134.552401, 49, 7.015459, 0.008106, 2.745967),
            (5, 10, 336.955133, 39, 16.597610, 0.464432, 8.639875),
            (10, 10, 87.897608, 38, 4.231894, 0.229595, 2.313095),
            (20, 10, 0.530368, 55, 0.011398, 0.007019, 0.009643),
            (20, 14, 114.865532, 39, 5.097860, 0.382470, 2.945270),
            (30, 14, 1.785475, 42, 0.319820, 0.008979, 0.042511),
        ];
        return
        [
            .. observers.SelectMany(observer => ((string Key, double Value)[])
                [
                    ("observer_average_ms", Milliseconds(observer.Average)),
                    ("observer_max_ms", Milliseconds(observer.Max)),
                    ("observer_min_ms", Milliseconds(observer.Min)),
                    ("observer_sum_ms", Milliseconds(observer.Sum)),
                    ("observer_count", observer.Count),
                ],
                (observer, figure) => new PublishedFigure(
                    Original, Pool(observer.Workers, observer.Processes, parameters), figure.Key, figure.Value)),
        ];
    }

    // To the microsecond, as published: the product alone would have further digits.
    private static double Milliseconds(double seconds) => Math.Round(seconds * 1000, 3);
}
