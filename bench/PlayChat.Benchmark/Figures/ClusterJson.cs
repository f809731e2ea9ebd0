namespace PlayChat.Benchmark.Figures;

/// <summary>The figures of a cluster in a report. The keys are documented in bench/README.md.</summary>
internal static class ClusterJson
{
    private const double Microseconds = 1e6;

    /// <summary>The object <c>cluster</c>.</summary>
    public static JsonObject Of(ClusterFigures cluster, double deliveriesPerSecond) => new()
    {
        ["nodes"] = cluster.Settings.Nodes,
        ["engine"] = cluster.Settings.Nodes == 0 ? null : cluster.Settings.Engine.ToString(),
        ["nodes_cpu_us_per_delivery"] = PerDelivery(cluster.NodesCpu, deliveriesPerSecond),
        ["log_and_database_cpu_us_per_delivery"] = PerDelivery(cluster.LogAndDatabaseCpu, deliveriesPerSecond),
        ["database_cpu_us_per_delivery"] = PerDelivery(cluster.DatabaseCpu, deliveriesPerSecond),
        ["broker_cpu_us_per_delivery"] = PerDelivery(cluster.BrokerCpu, deliveriesPerSecond),
        ["nodes_peak_working_set_mb"] = JsonFigures.Round(
            cluster.Sum(static node => node.Server.Last.Process.PeakWorkingSetBytes) / 1e6, digits: 1),
        ["log_lag_ms_mean"] = JsonFigures.Round(cluster.Mean(static node => node.MeanLogLag)),
        ["log_lag_ms_max"] = JsonFigures.Round(cluster.Max(static node => node.MaxLogLag)),
        ["unconfirmed_batches_max"] = JsonFigures.Round(cluster.Max(static node => node.MaxUnconfirmed)),
        ["redeliveries"] = JsonFigures.Round(cluster.Sum(static node => node.Redeliveries)),
        ["redirects"] = JsonFigures.Round(cluster.Sum(static node => node.Redirects)),
        ["lease_age_ms_max"] = JsonFigures.Round(cluster.Max(static node => node.MaxLeaseAge)),
        ["each"] = Each(cluster.Nodes, static node => JsonFigures.Server(node.Server)),
    };

    /// <summary>The list <c>nodes</c> of an interval.</summary>
    public static JsonArray Interval(IReadOnlyList<NodeFigures?> nodes) => Each(nodes, static node => new JsonObject
    {
        ["cpu_percent"] = JsonFigures.Round(node.Server.Interval.CpuPercent),
        ["working_set_bytes"] = node.Server.Last.Process.WorkingSetBytes,
        ["deliveries_per_s"] = JsonFigures.Round(node.Server.Interval.DeliveriesPerSecond),
    });

    // Those of the cluster's log come after the others; null where they are not known.
    private static JsonArray Each(IReadOnlyList<NodeFigures?> nodes, Func<NodeFigures, JsonObject> others) => new(nodes
        .Select(node => node is null ? null : (JsonNode)AddLog(others(node), node))
        .ToArray());

    private static JsonObject AddLog(JsonObject json, NodeFigures node)
    {
        json["log_lag_ms_mean"] = JsonFigures.Round(node.MeanLogLag);
        json["log_lag_ms_max"] = JsonFigures.Round(node.MaxLogLag);
        json["unconfirmed_batches_max"] = JsonFigures.Round(node.MaxUnconfirmed);
        json["redeliveries"] = JsonFigures.Round(node.Redeliveries);
        json["redirects"] = JsonFigures.Round(node.Redirects);
        json["lease_age_ms_max"] = JsonFigures.Round(node.MaxLeaseAge);
        return json;
    }

    private static JsonNode? PerDelivery(double? processors, double deliveriesPerSecond) =>
        JsonFigures.Round(processors * Microseconds / deliveriesPerSecond);
}
