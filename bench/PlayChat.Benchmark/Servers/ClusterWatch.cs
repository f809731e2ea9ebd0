namespace PlayChat.Benchmark.Servers;

/// <summary>Reads what the processes of a cluster use while a load runs. Not thread-safe.</summary>
/// <param name="brokerId">The broker's process; <see langword="null"/> without one.</param>
internal sealed class ClusterWatch(ClusterSettings settings, IReadOnlyList<KpiFile> nodes, int databaseId, int? brokerId)
{
    private CpuMark? _first;
    private CpuMark? _last;

    /// <summary>Call it at the start of the measurement.</summary>
    public void Begin() => _first = Mark();

    /// <summary>Call it at the end of the measurement.</summary>
    public void End() => _last = Mark();

    /// <summary>The figures of the measurement.</summary>
    /// <exception cref="InvalidOperationException"><see cref="Begin"/> and <see cref="End"/> were not called.</exception>
    public ClusterFigures Within(DateTimeOffset from, DateTimeOffset to)
    {
        (CpuMark first, CpuMark last) = _first is { } began && _last is { } ended
            ? (began, ended)
            : throw new InvalidOperationException("The measurement was not marked.");
        double seconds = Stopwatch.GetElapsedTime(first.At, last.At).TotalSeconds;
        return new ClusterFigures(
            settings,
            nodes.Select(node => node.ReadNew() is null ? null : node.Within(from, to)).ToArray(),
            (last.Database - first.Database).TotalSeconds / seconds,
            brokerId is null ? null : (last.Broker - first.Broker).TotalSeconds / seconds);
    }

    private CpuMark Mark() => new(
        Stopwatch.GetTimestamp(),
        ProcessTree.ReadCpuTime(databaseId),
        brokerId is { } broker ? ProcessTree.ReadCpuTime(broker) : TimeSpan.Zero);

    private sealed record CpuMark(long At, TimeSpan Database, TimeSpan Broker);
}

/// <summary>What a cluster used during a measurement. Processor time is in processors: 0.5 is half of one.</summary>
/// <param name="Nodes">Each node; <see langword="null"/> for one that wrote fewer than two KPI lines.</param>
/// <param name="BrokerCpu">What the broker used; <see langword="null"/> without one.</param>
internal sealed record ClusterFigures(
    ClusterSettings Settings, IReadOnlyList<ServerFigures?> Nodes, double DatabaseCpu, double? BrokerCpu)
{
    /// <summary>Adds a figure up over the nodes; <see langword="null"/> when it is not known of one.</summary>
    public double? Sum(Func<ServerFigures, double> figure) =>
        Nodes.Contains(null) ? null : Nodes.Sum(node => figure(node!));
}
