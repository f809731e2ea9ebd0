using PlayChat.Benchmark.Servers.Cluster;
using static System.FormattableString;

namespace PlayChat.Benchmark.Experiments.Cluster;

/// <summary>The same chat on one server and on clusters of several nodes, all on this machine.</summary>
internal static class ClusterExperiment
{
    /// <summary>The command's name.</summary>
    public const string Name = "cluster";

    private const string Alone = "no cluster";

    private static readonly CaseComparison s_comparison = new(Alone,
    [
        new("added_p50_us", "latency_us.p50", IsRatio: false),
        new("added_p99_us", "latency_us.p99", IsRatio: false),
        new("nodes_cpu_ratio", "cluster.nodes_cpu_us_per_delivery", IsRatio: true),
    ]);

    private static readonly Figure[] s_figures =
    [
        new("nodes_cpu_us_per_delivery", "nodes' CPU a delivery", "µs", "cluster.nodes_cpu_us_per_delivery", Better.Lower),
        new("nodes_cpu_ratio", "nodes' CPU by that of no cluster", "×", Compared("nodes_cpu_ratio"), Better.Lower),
        new("added_p50_us", "added p50", "µs", Compared("added_p50_us"), Better.Lower),
        new("added_p99_us", "added p99", "µs", Compared("added_p99_us"), Better.Lower),
        new(
            "log_and_database_cpu_us_per_delivery",
            "log's and database's CPU a delivery",
            "µs",
            "cluster.log_and_database_cpu_us_per_delivery",
            Better.Lower),
        new("broker_cpu_us_per_delivery", "of it the broker's", "µs", "cluster.broker_cpu_us_per_delivery", Better.Lower),
        new("p50_us", "p50", "µs", "latency_us.p50", Better.Lower),
        new("p90_us", "p90", "µs", "latency_us.p90", Better.Lower),
        new("p99_us", "p99", "µs", "latency_us.p99", Better.Lower),
        new("p999_us", "p99.9", "µs", "latency_us.p999", Better.Lower),
        new("send_lag_p99_us", "load's own p99 of lateness", "µs", "send_lag_us.p99", Better.Lower),
        new("deliveries_per_s", "deliveries", "/s", "deliveries_per_s", Better.Higher),
        new("messages_per_s", "messages in", "/s", "app_in_per_s", Better.Higher),
        new("lost", "lost", "", "lost", Better.Lower),
        new("duplicated", "duplicated", "", "duplicated", Better.Lower),
        new("out_of_order", "out of order", "", "reordered", Better.Lower),
        new("log_lag_ms_mean", "log lag, mean", "ms", "cluster.log_lag_ms_mean", Better.Lower),
        new("log_lag_ms_max", "log lag, most", "ms", "cluster.log_lag_ms_max", Better.Lower),
        new("unconfirmed_batches_max", "unconfirmed batches, most", "", "cluster.unconfirmed_batches_max", Better.Lower),
        new("redeliveries", "redeliveries", "", "cluster.redeliveries", Better.Lower),
        new("redirects", "redirects", "", "cluster.redirects", Better.Lower),
        new("lease_age_ms_max", "lease age, most", "ms", "cluster.lease_age_ms_max", Better.Lower),
        new("nodes_peak_working_set_mb", "nodes' memory", "MB", "cluster.nodes_peak_working_set_mb", Better.Lower),
    ];

    private static readonly Chart[] s_charts =
    [
        new(ChartKind.Cases, "CPU time of all nodes for a delivery", ["nodes_cpu_us_per_delivery"]),
        new(ChartKind.Cases, "CPU time of log and database for a delivery", ["log_and_database_cpu_us_per_delivery"]),
        new(ChartKind.Cases, "99 % of the deliveries within", ["p99_us"]),
    ];

    /// <summary>Makes the experiment.</summary>
    /// <param name="parameters">Its parameters.</param>
    /// <param name="engines">What keeps the log, in turn.</param>
    public static Experiment Create(ClusterParameters parameters, IReadOnlyList<ClusterEngine> engines)
    {
        string[] load =
        [
            "--clients", Invariant($"{parameters.Clients}"), "--rooms", Invariant($"{parameters.Rooms}"),
            "--rps", Invariant($"{parameters.MessagesPerSecond}"), "--max-lag", parameters.MaxLag,
            "--warmup", Invariant($"{parameters.Warmup}"), "--duration", Invariant($"{parameters.Duration}"),
        ];
        ExperimentRun[] runs =
        [
            new(ExperimentRun.Ours, Alone, ["chat", "--cluster", "0", .. load]),
            .. engines.SelectMany(engine => parameters.Nodes.Select(nodes => new ExperimentRun(
                ExperimentRun.Ours,
                new ClusterSettings(nodes, engine).ToString(),
                ["chat", "--cluster", Invariant($"{nodes}"), "--engine", engine.ToString(), .. load]))),
        ];
        return new Experiment(
            Name,
            "Cluster",
            "Nothing was published that could stand beside it.",
            Invariant($"The same {parameters.Clients} players in {parameters.Rooms} rooms talk on one server without a cluster and on ")
            + "clusters of several nodes. The members of each room are spread over the nodes, and every member checks that nothing is lost "
            + "or doubled and that all have one order. Nodes, log, database and load share this machine's processors, so more nodes do not "
            + "deliver more: the figures show what a node costs. What is added is the difference to the server without a cluster in the "
            + "same round, which stores its messages in the same database.",
            runs,
            s_figures,
            [],
            s_charts)
        {
            Comparison = s_comparison,
        };
    }

    private static string Compared(string key) => $"{CaseComparison.ReportKey}.{key}";
}
