namespace PlayChat.Benchmark.Experiments.ClassroomBroadcast;

/// <summary>How large the experiment is, and how long.</summary>
/// <param name="Connections">Of each client process.</param>
/// <param name="Bytes">Of a whole message.</param>
/// <param name="MessagesPerSecond">Of each connection.</param>
/// <param name="Pools">Client processes for each number of worker threads.</param>
/// <param name="Processes">Client processes where PlayChat, with as many threads as it likes, meets the others.</param>
/// <param name="Burst">Connections that are made at one instant.</param>
/// <param name="StalledReaders">Connections that stop to read.</param>
/// <param name="Warmup">Seconds before the measuring.</param>
/// <param name="Duration">Seconds of it.</param>
internal sealed record ClassroomBroadcastParameters(
    int Connections,
    int Bytes,
    double MessagesPerSecond,
    IReadOnlyList<(int Workers, int Processes)> Pools,
    IReadOnlyList<int> Processes,
    int Burst,
    int StalledReaders,
    double Warmup,
    double Duration)
{
    /// <summary>About a minute and a half: the combinations that were published.</summary>
    public static ClassroomBroadcastParameters Quick { get; } = new(
        50, 104, 1, [(1, 4), (1, 5), (20, 10), (20, 14), (30, 14)], [14], Burst: 1_000, StalledReaders: 5, Warmup: 1.5, Duration: 3);

    /// <summary>All of them.</summary>
    public static ClassroomBroadcastParameters Full { get; } = new(
        50,
        104,
        1,
        [.. from workers in (int[])[1, 5, 10, 20, 30] from processes in (int[])[4, 5, 10, 14] select (workers, processes)],
        [4, 5, 10, 14],
        Burst: 1_000,
        StalledReaders: 5,
        Warmup: 10,
        Duration: 60);
}
