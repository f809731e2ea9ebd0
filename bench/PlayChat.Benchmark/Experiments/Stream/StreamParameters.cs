namespace PlayChat.Benchmark.Experiments.Stream;

/// <summary>The parameters of the stream experiment.</summary>
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
        Threads = [],
        Warmup = 1.5,
        MaxWarmup = 10,
        Duration = 2.5,
    };

    /// <summary>As published for a shorter time, the baselines with three of the sizes.</summary>
    public static StreamParameters Standard { get; } = new()
    {
        BaselineSizes = Quick.BaselineSizes,
        Warmup = 2,
        MaxWarmup = 10,
        Duration = 5,
    };

    /// <summary>A small, a middle and the largest frame, for seconds.</summary>
    public static StreamParameters Smoke { get; } = Quick with
    {
        Ccu = 100,
        Sizes = [64, 1024, 65_536],
        Warmup = 0.3,
        MaxWarmup = 0,
        Duration = 0.7,
    };

    /// <summary>Connections.</summary>
    public int Ccu { get; init; } = 10_000;

    /// <summary>Requests outstanding on each.</summary>
    public int Inflight { get; init; } = 30;

    /// <summary>Bytes of a body; each size is a case.</summary>
    public IReadOnlyList<int> Sizes { get; init; } = [64, 256, 1024, 4096, 65_536];

    /// <summary>The sizes that baselines are measured with.</summary>
    public IReadOnlyList<int> BaselineSizes { get; init; } = [64, 256, 1024, 4096, 65_536];

    /// <summary>
    /// Numbers of threads, each a case of PlayChat with bodies of the first size: the server's workers, and as many of the load.
    /// </summary>
    public IReadOnlyList<int> Threads { get; init; } = [1, 2, 4, 8, 16, 24, 32];

    /// <summary>Seconds of warm-up.</summary>
    public double Warmup { get; init; } = 3;

    /// <summary>
    /// If it is more, the seconds of warm-up that there may be until the rate has stopped rising. A short measurement would otherwise
    /// show the compiler.
    /// </summary>
    public double MaxWarmup { get; init; }

    /// <summary>Seconds of measurement.</summary>
    public double Duration { get; init; } = 10;

    /// <summary>The most seconds of the drain.</summary>
    public double DrainTimeout { get; init; } = 10;

    /// <summary>Connections being made at one time.</summary>
    public int ConnectConcurrency { get; init; } = 256;

    /// <summary>The server's backlog.</summary>
    public int Backlog { get; init; } = 32_768;

    /// <summary>One round trip in this many is timed.</summary>
    public int SampleEvery { get; init; } = 16;

    /// <summary>The most bytes outstanding on all connections together, 4 GiB. Larger windows are reduced to it.</summary>
    /// <remarks>10,000 windows of 30 bodies of 64 KB are 19.7 GB, which would measure the machine's memory.</remarks>
    public long MaxOutstandingBytes { get; init; } = 4L << 30;

    /// <summary>
    /// The most bytes outstanding on all connections. With larger bodies there are fewer connections. Published: no limit.
    /// </summary>
    /// <remarks>The time to move all outstanding bytes is part of each round trip, so a short measurement needs a low limit.</remarks>
    public long FewerConnectionsOver { get; init; } = long.MaxValue;

    /// <summary>The connections with bodies of a size.</summary>
    public int CcuOf(int size) => (int)Math.Clamp(FewerConnectionsOver / ((long)Inflight * size), 1, Ccu);

    /// <summary>The window with bodies of a size.</summary>
    public int InflightOf(int size) => (int)Math.Clamp(MaxOutstandingBytes / ((long)CcuOf(size) * size), 1, Inflight);
}
