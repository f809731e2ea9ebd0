namespace PlayChat.Benchmark.Experiments;

/// <summary>The same chat on one server and on clusters of several nodes, all on this machine.</summary>
internal static class ClusterExperiment
{
    private const string Alone = "no cluster";

    public static ExperimentKind Kind { get; } = new(
        "cluster",
        "Experiment: the same chat on one server and on clusters of 1, 2 and 3 nodes on this machine: CPU per delivery, added latency.",
        [
            new("--engine", "What carries the messages of the nodes, in turn, where this machine has it.", "Postgres RabbitMq"),
            new("--nodes", "Numbers of nodes, in turn.", "1 2 3", Smoke: "2"),
            new("--clients", "Players.", "300", Smoke: "30"),
            new("--rooms", "Rooms; the players of each are spread over the nodes.", "30", Smoke: "3"),
            new("--rps", "Messages per second of each player.", "10"),
            // In the smoke test nothing is compared, and a build server has other work.
            new("--max-lag", "A run whose load was later than this (p99) is invalid.", "50ms", Smoke: "10s"),
            new("--warmup", "Seconds before the measurement.", "20", Standard: "15", Quick: "8", Smoke: "0.5"),
            new("--duration", "Seconds of the measurement.", "60", Standard: "20", Quick: "10", Smoke: "1"),
        ],
        Create);

    private static Experiment Create(Preset preset, ExperimentSettings settings)
    {
        ClusterEngine[] engines = preset["--engine"].Split([' ', ','], StringSplitOptions.RemoveEmptyEntries)
            .Select(ClusterSettings.ParseEngine).Distinct().ToArray();
        int[] nodes = preset.Ints("--nodes").Distinct().ToArray();
        int most = nodes.DefaultIfEmpty().Max();
        UsageException.Unless(most <= ClusterSettings.MaxNodes, $"--nodes is {most}; allowed is 1 to {ClusterSettings.MaxNodes}.");
        string load = preset.Options("--clients", "--rooms", "--rps", "--max-lag", "--warmup", "--duration");
        return new Experiment(
            Kind.Name,
            "Cluster",
            "Nothing was published that could stand beside it.",
            $"The same {preset["--clients"]} players in {preset["--rooms"]} rooms talk on one server without a cluster and on clusters of "
            + "several nodes. The members of each room are spread over the nodes, and every member checks that nothing is lost or doubled "
            + "and that all have one order. Nodes, log, database and load share this machine's processors, so more nodes do not deliver "
            + "more: the figures show what a node costs. What is added is the difference to the server without a cluster in the same "
            + "round, which stores its messages in the same database.",
            [
                ExperimentRun.Of(Subjects.Ours, Alone, $"chat --cluster 0 {load}"),
                .. from engine in engines
                   from count in nodes
                   select ExperimentRun.Of(
                       Subjects.Ours,
                       new ClusterSettings(count, engine).ToString(),
                       $"chat --cluster {count} --engine {engine} {load}"),
            ],
            [
                new("CPU time of all nodes for a delivery (less is better)", "nodes_cpu_us_per_delivery"),
                new("CPU time of log and database for a delivery (less is better)", "log_and_database_cpu_us_per_delivery"),
                new("99 % of the deliveries arrive within this time (less is better)", "p99_us"),
            ])
        {
            ComparedWith = Alone,
        };
    }
}
