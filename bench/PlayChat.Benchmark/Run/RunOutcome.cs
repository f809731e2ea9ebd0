using PlayChat.Benchmark.Figures;
using PlayChat.Benchmark.Servers;
using PlayChat.Benchmark.Servers.Cluster;

namespace PlayChat.Benchmark.Run;

/// <summary>The outcome of a run of any load.</summary>
/// <param name="Seconds">Length of the measurement.</param>
/// <param name="Drained">Whether every message arrived before the drain timeout.</param>
/// <param name="Interrupted">Whether the run was interrupted.</param>
/// <param name="Intervals">The rows of the table.</param>
/// <param name="Server">The server's figures of the measurement; <see langword="null"/> when they are not known.</param>
internal sealed record RunOutcome(
    double Seconds, bool Drained, bool Interrupted, IReadOnlyList<IntervalFigures> Intervals, ServerFigures? Server)
{
    /// <summary>What the load's own process used during the measurement.</summary>
    public required ClientFigures Client { get; init; }

    /// <summary>The figures of the cluster that was started, of the measurement; <see langword="null"/> without one.</summary>
    public ClusterFigures? Cluster { get; init; }

    /// <summary>How long the warm-up lasted.</summary>
    public TimeSpan WarmedUp { get; init; }

    /// <summary>The start of the measurement, by the wall clock.</summary>
    public DateTimeOffset MeasuredFrom { get; init; }

    /// <summary>The end of the measurement.</summary>
    public DateTimeOffset MeasuredTo { get; init; }
}
