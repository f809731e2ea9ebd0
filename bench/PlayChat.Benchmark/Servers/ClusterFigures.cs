namespace PlayChat.Benchmark.Servers;

/// <summary>What a cluster used and did during a measurement. Processor time is in processors: 0.5 is half of one.</summary>
/// <param name="Nodes">Each node; <see langword="null"/> for one that wrote fewer than two KPI lines.</param>
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

/// <summary>What a node of a cluster did between two of its KPI lines.</summary>
internal sealed record NodeFigures(ServerFigures Server)
{
    /// <summary>
    /// The age of the oldest record that the node had not read back from the log: the longest of all lines, in milliseconds;
    /// <see langword="null"/> for a server without a cluster, as are the others.
    /// </summary>
    public double? MaxLogLag { get; private init; }

    /// <summary>The same on average over the lines.</summary>
    public double? MeanLogLag { get; private init; }

    /// <summary>The most batches that were sent to the log and not confirmed, in any line.</summary>
    public double? MaxUnconfirmed { get; private init; }

    /// <summary>Batches that were delivered twice, and dropped the second time.</summary>
    public double? Redeliveries { get; private init; }

    /// <summary>Requests that were answered REDIRECT.</summary>
    public double? Redirects { get; private init; }

    /// <summary>The longest time since the node had renewed its lease, of all lines, in milliseconds.</summary>
    public double? MaxLeaseAge { get; private init; }

    /// <summary>Reads them.</summary>
    public static NodeFigures Of(IEnumerable<KpiSnapshot> lines, ServerFigures server)
    {
        KpiSnapshot[] counted = lines
            .Where(line => line.Elapsed >= server.First.Elapsed && line.Elapsed <= server.Last.Elapsed)
            .ToArray();
        double[] lags = Values("log_lag_ms");
        return new NodeFigures(server)
        {
            MaxLogLag = Max(lags),
            MeanLogLag = lags.Length == 0 ? null : lags.Average(),
            MaxUnconfirmed = Max(Values("log_unconfirmed")),
            Redeliveries = Growth("log_duplicates"),
            Redirects = Growth("redirects"),
            MaxLeaseAge = Max(Values("lease_age_ms")),
        };

        double? Growth(string key) => Read(server.Interval.Extras, key);

        double[] Values(string key) => counted.Select(line => Read(line.Extras, key)).OfType<double>().ToArray();
    }

    private static double? Max(double[] values) => values.Length == 0 ? null : values.Max();

    // A figure that the node could not read is not a number.
    private static double? Read(IReadOnlyList<KpiExtra> extras, string key)
    {
        foreach (KpiExtra extra in extras)
        {
            if (extra.Key == key)
            {
                return double.IsFinite(extra.Value) ? extra.Value : null;
            }
        }

        return null;
    }
}
