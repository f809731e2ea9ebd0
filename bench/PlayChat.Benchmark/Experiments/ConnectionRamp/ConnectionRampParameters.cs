namespace PlayChat.Benchmark.Experiments.ConnectionRamp;

/// <summary>The parameters of the connection ramp.</summary>
/// <param name="Connections">The number of connections with which all servers are compared.</param>
/// <param name="More">Higher numbers of connections, for PlayChat alone.</param>
/// <param name="Step">Connections added per step.</param>
/// <param name="StepInterval">The time between two steps before the time scale, as on the command line.</param>
/// <param name="TimeScale">How many times as fast as published the ramp is.</param>
/// <param name="Bytes">Bytes of each message.</param>
/// <param name="Every">The time between two messages of a connection, as on the command line.</param>
/// <param name="Hold">Seconds that all connections are held.</param>
/// <param name="Native">Whether PlayChat on its Linux transport is measured by default.</param>
internal sealed record ConnectionRampParameters(
    int Connections,
    IReadOnlyList<int> More,
    int Step,
    string StepInterval,
    double TimeScale,
    int Bytes,
    string Every,
    double Hold,
    bool Native)
{
    /// <summary>Whether PlayChat is also measured with one processor for the server.</summary>
    public bool OneProcessor { get; init; }

    /// <summary>Less than a minute and a half. All connections are held until each has sent once more.</summary>
    public static ConnectionRampParameters Quick { get; } =
        new(3_000, [10_000], 40, "10s", TimeScale: 500, 50, "10s", Hold: 10, Native: false);

    /// <summary>As published, and with more connections.</summary>
    public static ConnectionRampParameters Full { get; } =
        new(3_000, [5_000, 10_000], 40, "10s", TimeScale: 1, 50, "10s", Hold: 60, Native: true) { OneProcessor = true };

    /// <summary>A few seconds; each connection sends once in the ramp and once after it.</summary>
    public static ConnectionRampParameters Smoke { get; } = Quick with { Connections = 500, More = [], Every = "2s", Hold = 2 };

    /// <summary>The published connections in a ramp that is 75 times as fast, and more connections.</summary>
    public static ConnectionRampParameters Standard { get; } = Full with { TimeScale = 75, Hold = 12 };
}
