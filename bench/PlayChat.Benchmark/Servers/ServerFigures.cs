namespace PlayChat.Benchmark.Servers;

/// <summary>What the server used and did between two of its KPI lines.</summary>
internal sealed record ServerFigures(KpiLine First, KpiLine Last)
{
    public double Seconds => (Last.Timestamp - First.Timestamp).TotalSeconds;

    public long Messages => Last.FramesReceived - First.FramesReceived;

    public long Deliveries => Last.Deliveries - First.Deliveries;

    public long Sends => Last.Sends - First.Sends;

    public double CpuMilliseconds => Last.CpuMilliseconds - First.CpuMilliseconds;

    /// <summary>Of one processor: 200 is two busy ones.</summary>
    public double CpuPercent => CpuMilliseconds / (Seconds * 10);

    /// <summary>All of the process's CPU time divided by the messages it received; none without messages.</summary>
    public double? CpuMicrosecondsPerMessage => Ratio(CpuMilliseconds * 1000, Messages);

    /// <summary>The same by the deliveries of broadcasts; none where there are no broadcasts.</summary>
    public double? CpuMicrosecondsPerDelivery => Ratio(CpuMilliseconds * 1000, Deliveries);

    public double? DeliveriesPerSend => Deliveries == 0 ? null : Ratio(Deliveries, Sends);

    public double? FramesPerSend => Ratio(Last.FramesSent - First.FramesSent, Sends);

    public double PerSecond(Func<KpiLine, double> total) => (total(Last) - total(First)) / Seconds;

    /// <summary>The figures between two lines; none when there are not two.</summary>
    public static ServerFigures? Between(KpiLine? first, KpiLine? last) =>
        first is not null && last is not null && last.Timestamp > first.Timestamp ? new ServerFigures(first, last) : null;

    /// <summary>The figures from the first to the last of the lines that lie in a time; none when fewer than two do.</summary>
    /// <param name="lines">Oldest first.</param>
    /// <param name="from">The time's begin, by the wall clock.</param>
    /// <param name="to">Its end.</param>
    public static ServerFigures? Within(IReadOnlyList<KpiLine> lines, DateTimeOffset from, DateTimeOffset to)
    {
        KpiLine[] inside = lines.Where(line => line.Timestamp >= from && line.Timestamp <= to).ToArray();
        return inside.Length < 2 ? null : Between(inside[0], inside[^1]);
    }

    private static double? Ratio(double value, long divisor) => divisor > 0 ? value / divisor : null;
}
