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
    /// <summary>The longest p99 by which the load may be late, as on the command line; a later load makes a run invalid.</summary>
    public string MaxLag { get; init; } = "50ms";

    /// <summary>Whether each client process is a process; otherwise one process makes the connections of all.</summary>
    public bool UsesProcesses { get; init; }

    /// <summary>The published combinations, in less than two minutes.</summary>
    public static ClassroomBroadcastParameters Quick { get; } = new(
        50,
        104,
        1,
        [(1, 4), (1, 5), (5, 10), (10, 10), (20, 10), (20, 14), (30, 14)],
        [14],
        Burst: 1_000,
        StalledReaders: 5,
        Warmup: 1.5,
        Duration: 3);

    /// <summary>Two combinations and both faults, for seconds.</summary>
    public static ClassroomBroadcastParameters Smoke { get; } = Quick with
    {
        Pools = [(1, 4)],
        Processes = [4],
        Burst = 500,
        Warmup = 0.5,
        Duration = 1.5,
        MaxLag = "10s", // nothing is compared, and a build server has other work
    };

    /// <summary>The published combinations with real client processes, in less than three minutes.</summary>
    public static ClassroomBroadcastParameters Standard { get; } = Quick with
    {
        Warmup = 2,
        Duration = 6,
        UsesProcesses = true,
    };

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
        Duration: 60)
    {
        UsesProcesses = true,
    };
}
