namespace PlayChat.Benchmark.Experiments.ClassroomBroadcast;

/// <summary>The parameters of the classroom broadcast.</summary>
/// <param name="Connections">Connections of each client process.</param>
/// <param name="Bytes">Bytes of a whole message.</param>
/// <param name="MessagesPerSecond">Messages per second of each connection.</param>
/// <param name="Pools">Client processes for each number of worker threads.</param>
/// <param name="Processes">Client processes in the cases that compare all servers, where PlayChat decides on its threads.</param>
/// <param name="Burst">Connections made at one instant.</param>
/// <param name="StalledReaders">Connections that stop reading.</param>
/// <param name="Warmup">Seconds of warm-up.</param>
/// <param name="Duration">Seconds of measurement.</param>
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
    /// <summary>The published combinations, in about a minute and a half.</summary>
    public static ClassroomBroadcastParameters Quick { get; } = new(
        50, 104, 1, [(1, 4), (1, 5), (20, 10), (20, 14), (30, 14)], [14], Burst: 1_000, StalledReaders: 5, Warmup: 1.5, Duration: 3);

    /// <summary>All combinations.</summary>
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
