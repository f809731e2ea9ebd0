namespace PlayChat.Benchmark.Figures;

/// <summary>The figures of a cluster in a report. The keys are documented in bench/README.md.</summary>
internal static class ClusterJson
{
    private const double Microseconds = 1e6;

    public static JsonObject Of(ClusterFigures cluster, double deliveriesPerSecond)
    {
        return new JsonObject
        {
            ["nodes"] = cluster.Settings.Nodes,
            ["engine"] = cluster.Settings.Nodes == 0 ? null : cluster.Settings.Engine.ToString(),
            ["nodes_cpu_us_per_delivery"] = PerDelivery(cluster.Sum(static node => node.Interval.CpuPercent / 100)),
            ["log_and_database_cpu_us_per_delivery"] = PerDelivery(cluster.DatabaseCpu + (cluster.BrokerCpu ?? 0)),
            ["database_cpu_us_per_delivery"] = PerDelivery(cluster.DatabaseCpu),
            ["broker_cpu_us_per_delivery"] = PerDelivery(cluster.BrokerCpu),
            ["nodes_peak_working_set_mb"] =
                JsonFigures.Round(cluster.Sum(static node => node.Last.Process.PeakWorkingSetBytes) / 1e6, digits: 1),
            ["each"] = new JsonArray(
                cluster.Nodes.Select(static node => node is null ? null : (JsonNode)JsonFigures.Server(node)).ToArray()),
        };

        JsonNode? PerDelivery(double? processors) => JsonFigures.Round(processors * Microseconds / deliveriesPerSecond);
    }
}
