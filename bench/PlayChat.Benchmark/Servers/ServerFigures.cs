using PlayChat.Core.Diagnostics;

namespace PlayChat.Benchmark.Servers;

/// <summary>What the server used and did between two of its KPI lines, and what that is for each message.</summary>
internal sealed record ServerFigures(KpiInterval Interval)
{
    public KpiSnapshot First => Interval.Earlier;

    public KpiSnapshot Last => Interval.Later;

    /// <summary>All of the process's CPU time divided by the messages it received; none without messages.</summary>
    public double? CpuMicrosecondsPerMessage => Ratio(Interval.CpuTime.TotalMicroseconds, Messages);

    /// <summary>The same by the deliveries of broadcasts; none where there are no broadcasts.</summary>
    public double? CpuMicrosecondsPerDelivery => Ratio(Interval.CpuTime.TotalMicroseconds, Deliveries);

    /// <summary>Managed memory allocated, by the messages received; none without messages.</summary>
    public double? AllocatedBytesPerMessage => Ratio(Last.Process.AllocatedBytes - First.Process.AllocatedBytes, Messages);

    public double? DeliveriesPerSend => Deliveries == 0 ? null : Ratio(Deliveries, Sends);

    public double? FramesPerSend => Ratio(Last.FramesSent - First.FramesSent, Sends);

    private long Messages => Last.FramesReceived - First.FramesReceived;

    private long Deliveries => Last.Deliveries - First.Deliveries;

    private long Sends => Last.Sends - First.Sends;

    private static double? Ratio(double value, long divisor) => divisor > 0 ? value / divisor : null;
}
