namespace PlayChat.Benchmark.Servers.Cluster;

/// <summary>What a cluster used and did during a measurement. Processor time is in processors: 0.5 is half of one.</summary>
/// <param name="Settings">The cluster.</param>
/// <param name="Nodes">Each node; <see langword="null"/> for one that wrote fewer than two KPI lines.</param>
/// <param name="DatabaseCpu">What the database used.</param>
/// <param name="BrokerCpu">What the broker used; <see langword="null"/> without one.</param>
internal sealed record ClusterFigures(
    ClusterSettings Settings, IReadOnlyList<NodeFigures?> Nodes, double DatabaseCpu, double? BrokerCpu)
{
    /// <summary>What all nodes used; <see langword="null"/> when it is not known of one.</summary>
    public double? NodesCpu => Sum(static node => node.Server.Interval.CpuPercent / 100);

    /// <summary>What log and database used.</summary>
    public double LogAndDatabaseCpu => DatabaseCpu + (BrokerCpu ?? 0);

    /// <summary>Adds a figure up over the nodes; <see langword="null"/> when it is not known of one.</summary>
    public double? Sum(Func<NodeFigures, double?> figure) => Of(figure) is { } values ? values.Sum() : null;

    /// <summary>The highest value of any node; <see langword="null"/> when it is not known of one.</summary>
    public double? Max(Func<NodeFigures, double?> figure) => Of(figure) is { } values ? values.Max() : null;

    /// <summary>The average over the nodes; <see langword="null"/> when it is not known of one.</summary>
    public double? Mean(Func<NodeFigures, double?> figure) => Of(figure) is { } values ? values.Average() : null;

    private double[]? Of(Func<NodeFigures, double?> figure)
    {
        double?[] values = Nodes.Select(node => node is null ? null : figure(node)).ToArray();
        return Array.TrueForAll(values, static value => value.HasValue) ? Array.ConvertAll(values, static value => value!.Value) : null;
    }
}
