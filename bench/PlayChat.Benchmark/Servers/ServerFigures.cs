using PlayChat.Kpi;

namespace PlayChat.Benchmark.Servers;

/// <summary>What the server did between two KPI lines, in total and per message.</summary>
internal sealed record ServerFigures(KpiInterval Interval)
{
    public KpiSnapshot First => Interval.Earlier;

    public KpiSnapshot Last => Interval.Later;

    /// <summary>The process's CPU time per received message; <see langword="null"/> without messages.</summary>
    public double? CpuMicrosecondsPerMessage => Quotient(Interval.CpuTime.TotalMicroseconds, Messages);

    /// <summary>The process's CPU time per delivery of a broadcast; <see langword="null"/> without broadcasts.</summary>
    public double? CpuMicrosecondsPerDelivery => Quotient(Interval.CpuTime.TotalMicroseconds, Deliveries);

    /// <summary>Managed memory allocated per received message; <see langword="null"/> without messages.</summary>
    public double? AllocatedBytesPerMessage => Quotient(Last.Process.AllocatedBytes - First.Process.AllocatedBytes, Messages);

    public double? DeliveriesPerSend => Deliveries == 0 ? null : Quotient(Deliveries, Sends);

    public double? FramesPerSend => Quotient(Last.FramesSent - First.FramesSent, Sends);

    /// <summary>Buffers that the pool had to make, because none was free.</summary>
    public double NewBuffersPerSecond => Math.Max(0, NewBuffers) / Interval.Duration.TotalSeconds;

    private long NewBuffers => Last.PoolRents - First.PoolRents - (Last.PoolReuses - First.PoolReuses);

    private long Messages => Last.FramesReceived - First.FramesReceived;

    private long Deliveries => Last.Deliveries - First.Deliveries;

    private long Sends => Last.Sends - First.Sends;

    private static double? Quotient(double value, long divisor) => divisor > 0 ? value / divisor : null;
}
