namespace PlayChat.Benchmark.Experiments.RequestReply;

/// <summary>What the request-reply experiment does.</summary>
internal sealed record RequestReplyParameters
{
    /// <summary>As published, with the two sizes that were left open.</summary>
    public static RequestReplyParameters Full { get; } = new();

    /// <summary>The same loads for a short time, the open sizes for PlayChat alone.</summary>
    public static RequestReplyParameters Quick { get; } = new()
    {
        Cases = Full.Cases.Select(static load => load with { IsForAll = load.Size < 256 }).ToArray(),
        Warmup = 1,
        MaxWarmup = 10,
        Duration = 2,
    };

    /// <summary>The same loads for a shorter time, the open sizes for PlayChat alone.</summary>
    public static RequestReplyParameters Standard { get; } = Quick with { Warmup = 2, Duration = 4 };

    /// <summary>The published loads with fewer connections, for seconds.</summary>
    public static RequestReplyParameters Smoke { get; } = new()
    {
        Cases = [new(100, 20, 8), new(10, 6, 64)],
        Warmup = 0.3,
        Duration = 0.7,
    };

    /// <summary>The loads.</summary>
    /// <remarks>
    /// How many were outstanding with CCU 10 is not told; the published rate times the published mean RTT is 59, so it is 6 on each
    /// connection.
    /// </remarks>
    public IReadOnlyList<RequestReplyCase> Cases { get; init; } =
        [new(1000, 200, 8), new(10, 6, 64), new(1000, 200, 256), new(1000, 200, 1024)];

    /// <summary>Seconds.</summary>
    public double Warmup { get; init; } = 3;

    /// <summary>
    /// If it is more, the seconds of warm-up that there may be until the rate has stopped rising. A short measurement would otherwise
    /// show the compiler.
    /// </summary>
    public double MaxWarmup { get; init; }

    /// <summary>Seconds of measuring.</summary>
    public double Duration { get; init; } = 10;

    /// <summary>The most seconds of the drain.</summary>
    public double DrainTimeout { get; init; } = 10;
}
