namespace PlayChat.Benchmark.Experiments;

internal static class ClassroomExperiment
{
    private const string Pools = "--pools";
    private const string Published = "1:4 1:5 5:10 10:10 20:10 20:14 30:14";

    public static ExperimentKind Kind { get; } = new(
        "classroom-broadcast",
        "Experiment: every message to every connection, by number of threads and beside other servers; many connects at one instant; "
        + "readers that stop reading.",
        [
            new(
                Pools,
                "Cases with a number of worker threads, each THREADS:GROUPS.",
                "1:4 1:5 1:10 1:14 5:4 5:5 5:10 5:14 10:4 10:5 10:10 10:14 20:4 20:5 20:10 20:14 30:4 30:5 30:10 30:14",
                Standard: Published,
                Smoke: "1:4"),
            new("--processes", "Groups of connections in the cases that compare all servers.", "4 5 10 14", Standard: "14", Smoke: "4"),
            new("--connections", "Connections of each group.", "50"),
            new("--size", "Bytes of a whole message: length, sender and payload.", "104"),
            new("--rps", "Messages per second of each connection.", "1"),
            // In the smoke test nothing is compared, and a build server has other work.
            new("--max-lag", "A run whose load was later than this (p99) is invalid.", "50ms", Smoke: "10s"),
            new("--burst", "Connections made at one instant.", "1000", Smoke: "500"),
            new("--stalled-readers", "Connections that stop reading.", "5"),
            new("--warmup", "Seconds before the measurement.", "10", Standard: "2", Quick: "1.5", Smoke: "0.5"),
            new("--duration", "Seconds of the measurement.", "60", Standard: "6", Quick: "3", Smoke: "1.5"),
        ],
        Create);

    private static Experiment Create(Preset preset, ExperimentSettings settings)
    {
        int connections = preset.Int("--connections");
        int burst = preset.Int("--burst");
        UsageException.Unless(burst >= connections, $"--burst is {burst}; allowed is {connections} (the connections of a group) or more.");
        string Crowd(int groups) => $"classroom --processes {groups} {preset.Options("--connections", "--max-lag")}";
        string Load(int groups) => $"{Crowd(groups)} {preset.Options("--size", "--rps", "--warmup", "--duration")}";
        string Pool((int Threads, int Groups) pool) =>
            $"{pool.Threads} thread{(pool.Threads == 1 ? "" : "s")}, {pool.Groups}×{connections}";
        (int Threads, int Groups)[] pools =
            Array.ConvertAll(preset.Groups(Pools, "THREADS:GROUPS", ':'), static pool => (pool[0], pool[1]));
        return new Experiment(
            Kind.Name,
            "Classroom broadcast",
            "A Java NIO server with client processes on machines of a classroom.",
            $"Every connection sends {preset["--size"]} bytes {preset["--rps"]} times per second, and every message goes to every "
            + "connection; an observer measures its own round trip. 14×50 is 14 groups of 50 connections: published were as many client "
            + "processes, here one process makes all connections. The cases with a number of threads run PlayChat with that many "
            + "worker threads (--workers); in the others each server decides. Two more cases repeat published faults: all connections "
            + "are made at one instant, and readers stop reading, which must neither keep others out nor let the memory grow.",
            [
                .. pools.Select(pool => ExperimentRun.Of(Subjects.Ours, Pool(pool), $"{Load(pool.Groups)} --workers {pool.Threads}")),
                .. from groups in preset.Ints("--processes")
                   from subject in settings.Subjects("classroom")
                   select ExperimentRun.Of(subject, $"{groups}×{connections}", Load(groups)),
                // Each connection sends little, because every message is delivered to every connection.
                ExperimentRun.Of(Subjects.Ours, $"{burst} connects at one instant",
                    $"{Crowd(burst / connections)} {preset.Options("--size")} --rps 0.1 --observer-rps 1 --connect-at-once {burst + 1} "
                    + "--warmup 0 --duration 2"),
                // 2 MB per second to each connection, as published.
                ExperimentRun.Of(Subjects.Ours, $"{preset["--stalled-readers"]} readers stop",
                    $"{Crowd(1)} --size 1024 --rps 40 {preset.Options("--stalled-readers")} --interval 1 --warmup 0 "
                    + $"--duration {Math.Max(5, preset.Number("--duration"))}"),
            ],
            [
                new(
                    "The observer's average round trip (less is better)",
                    "observer_average_ms",
                    [.. preset.Ints("--processes").TakeLast(1).SelectMany(groups => pools
                        .Where(pool => pool.Groups == groups).Select(Pool).Prepend($"{groups}×{connections}"))]),
                new("Server's CPU time a delivery (less is better)", "server_cpu_us_per_delivery"),
            ])
        {
            Sweeps = pools
                .GroupBy(static pool => pool.Groups)
                .Where(static group => group.Count() > 1)
                .Select(group => new Sweep(
                    $"threads, {group.Key}×{connections}",
                    "observer_average_ms",
                    group.ToDictionary(static pool => pool.Threads, Pool)))
                .ToArray(),
        };
    }
}
