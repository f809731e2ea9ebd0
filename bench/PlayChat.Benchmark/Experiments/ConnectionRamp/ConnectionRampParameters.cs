namespace PlayChat.Benchmark.Experiments.ConnectionRamp;

/// <summary>How large the experiment is, and how long.</summary>
/// <param name="Connections">Where all servers are compared.</param>
/// <param name="More">How far PlayChat goes on, in cases of its own.</param>
/// <param name="Step">Connections that are added at a time.</param>
/// <param name="StepInterval">Between two steps, before the time scale, as the command line has it.</param>
/// <param name="TimeScale">How many times as fast the ramp goes as where it was published.</param>
/// <param name="Bytes">Of each message.</param>
/// <param name="Every">Between two messages of a connection, as the command line has it.</param>
/// <param name="Hold">Seconds that all connections are held.</param>
/// <param name="Native">Whether PlayChat on its Linux transport is measured without being asked for.</param>
internal sealed record ConnectionRampParameters(
    int Connections, IReadOnlyList<int> More, int Step, string StepInterval, double TimeScale, int Bytes, string Every, double Hold, bool Native)
{
    /// <summary>Under a minute and a half; all are held long enough that each sends once more.</summary>
    public static ConnectionRampParameters Quick { get; } = new(3_000, [10_000], 40, "10s", TimeScale: 500, 50, "10s", Hold: 10, Native: false);

    /// <summary>As it was published, and on.</summary>
    public static ConnectionRampParameters Full { get; } = new(3_000, [5_000, 10_000], 40, "10s", TimeScale: 1, 50, "10s", Hold: 60, Native: true);
}
