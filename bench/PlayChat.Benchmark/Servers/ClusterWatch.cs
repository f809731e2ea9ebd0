namespace PlayChat.Benchmark.Servers;

/// <summary>Reads what the processes of a cluster do while a load runs. Not thread-safe.</summary>
/// <param name="brokerId">The broker's process; <see langword="null"/> without one.</param>
internal sealed class ClusterWatch(ClusterSettings settings, IReadOnlyList<KpiFile> nodes, int databaseId, int? brokerId)
{
    private CpuMark? _first;
    private CpuMark? _last;

    /// <summary>The newest line of each node.</summary>
    public IReadOnlyList<KpiSnapshot?> ReadNodes() => nodes.Select(static node => node.ReadNew()).ToArray();

    /// <summary>What each node did between two calls of <see cref="ReadNodes"/>; <see langword="null"/> when it is not known.</summary>
    public IReadOnlyList<NodeFigures?> Between(IReadOnlyList<KpiSnapshot?> earlier, IReadOnlyList<KpiSnapshot?> later) =>
        nodes.Select((node, i) => Figures(node, node.Between(earlier[i], later[i]))).ToArray();

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
        ReadNodes();
        return new ClusterFigures(
            settings,
            nodes.Select(node => Figures(node, node.Within(from, to))).ToArray(),
            (last.Database - first.Database).TotalSeconds / seconds,
            brokerId is null ? null : (last.Broker - first.Broker).TotalSeconds / seconds);
    }

    private static NodeFigures? Figures(KpiFile node, ServerFigures? server) =>
        server is null ? null : NodeFigures.Of(node.Lines, server);

    private CpuMark Mark() => new(
        Stopwatch.GetTimestamp(),
        ProcessTree.ReadCpuTime(databaseId),
        brokerId is { } broker ? ProcessTree.ReadCpuTime(broker) : TimeSpan.Zero);

    private sealed record CpuMark(long At, TimeSpan Database, TimeSpan Broker);
}
