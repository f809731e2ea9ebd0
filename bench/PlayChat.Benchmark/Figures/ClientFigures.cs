using PlayChat.Kpi;

namespace PlayChat.Benchmark.Figures;

/// <summary>What the load's own process used between two moments.</summary>
/// <param name="First">At the start of the measurement.</param>
/// <param name="Last">At its end.</param>
/// <param name="Seconds">The time between the two.</param>
internal sealed record ClientFigures(ProcessFigures First, ProcessFigures Last, double Seconds)
{
    /// <summary>Of one processor: 200 is two busy ones. <see langword="null"/> when no time has passed.</summary>
    public double? CpuPercent => Seconds > 0 ? 100 * (Last.CpuTime - First.CpuTime).TotalSeconds / Seconds : null;
}
