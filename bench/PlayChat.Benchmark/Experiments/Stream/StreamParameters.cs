namespace PlayChat.Benchmark.Experiments.Stream;

/// <summary>What the stream experiment does.</summary>
internal sealed record StreamParameters
{
    /// <summary>As published.</summary>
    public static StreamParameters Full { get; } = new();

    /// <summary>Small and short.</summary>
    public static StreamParameters Quick { get; } = new()
    {
        Ccu = 1000,
        FewerConnectionsOver = 64L << 20,
        BaselineSizes = [64, 1024, 65_536],
        Warmup = 1.5,
        Duration = 2.5,
    };

    /// <summary>Connections.</summary>
    public int Ccu { get; init; } = 10_000;

    /// <summary>Requests outstanding on each.</summary>
    public int Inflight { get; init; } = 30;

    /// <summary>Bytes of a body, each a case.</summary>
    public IReadOnlyList<int> Sizes { get; init; } = [64, 256, 1024, 4096, 65_536];

    /// <summary>Those of the sizes that baselines are measured with.</summary>
    public IReadOnlyList<int> BaselineSizes { get; init; } = [64, 256, 1024, 4096, 65_536];

    /// <summary>Seconds.</summary>
    public double Warmup { get; init; } = 3;

    /// <summary>Seconds of measuring.</summary>
    public double Duration { get; init; } = 10;

    /// <summary>The most seconds of the drain.</summary>
    public double DrainTimeout { get; init; } = 10;

    /// <summary>Connections that are being made at one time.</summary>
    public int ConnectConcurrency { get; init; } = 256;

    /// <summary>The server's.</summary>
    public int Backlog { get; init; } = 32_768;

    /// <summary>One latency in so many is taken.</summary>
    public int SampleEvery { get; init; } = 16;

    /// <summary>The most bytes outstanding on all connections together, 4 GiB; where it is less than the window, the window is smaller.</summary>
    /// <remarks>10,000 windows of 30 bodies of 64 KB are 19.7 GB, which would measure the machine's memory.</remarks>
    public long MaxOutstandingBytes { get; init; } = 4L << 30;

    /// <summary>The most bytes outstanding with which there are as many connections as asked for; where it would be more, there are fewer. As published: no limit.</summary>
    /// <remarks>A round trip is as long as what is outstanding takes to be moved, so this must be little where the measuring is short.</remarks>
    public long FewerConnectionsOver { get; init; } = long.MaxValue;

    /// <summary>The connections with bodies of a size.</summary>
    public int CcuOf(int size) => (int)Math.Clamp(FewerConnectionsOver / ((long)Inflight * size), 1, Ccu);

    /// <summary>The window with bodies of a size.</summary>
    public int InflightOf(int size) => (int)Math.Clamp(MaxOutstandingBytes / ((long)CcuOf(size) * size), 1, Inflight);
}
