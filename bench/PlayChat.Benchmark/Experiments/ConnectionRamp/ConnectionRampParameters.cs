namespace PlayChat.Benchmark.Experiments.ConnectionRamp;

/// <summary>How large the experiment is, and how long.</summary>
/// <param name="Connections">Where all servers are compared.</param>
/// <param name="More">How far PlayChat goes on, in cases of its own.</param>
/// <param name="Step">Connections that are added at a time.</param>
/// <param name="TimeScale">How many times as fast the ramp goes as where it was published.</param>
/// <param name="Hold">Seconds that all connections are held.</param>
internal sealed record ConnectionRampParameters(int Connections, IReadOnlyList<int> More, int Step, double TimeScale, double Hold)
{
    /// <summary>Under a minute and a half.</summary>
    public static ConnectionRampParameters Quick { get; } = new(3_000, [10_000], 40, TimeScale: 200, Hold: 4);

    /// <summary>As it was published, and on.</summary>
    public static ConnectionRampParameters Full { get; } = new(3_000, [5_000, 10_000], 40, TimeScale: 1, Hold: 60);
}
