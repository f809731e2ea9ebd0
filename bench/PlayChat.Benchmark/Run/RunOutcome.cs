using PlayChat.Benchmark.Servers;

namespace PlayChat.Benchmark.Run;

/// <summary>How a run went, whatever it measured.</summary>
/// <param name="Seconds">Length of the measuring.</param>
/// <param name="Drained">Whether everything had arrived before the drain timeout.</param>
/// <param name="Interrupted">Whether it was ended early.</param>
/// <param name="Intervals">The lines of the table.</param>
/// <param name="Server">The server's figures for the measuring; without, they are not known.</param>
internal sealed record RunOutcome(
    double Seconds, bool Drained, bool Interrupted, IReadOnlyList<IntervalFigures> Intervals, ServerFigures? Server)
{
    /// <summary>When the measuring began, by the wall clock.</summary>
    public DateTimeOffset MeasuredFrom { get; init; }

    /// <summary>When it ended.</summary>
    public DateTimeOffset MeasuredTo { get; init; }
}
