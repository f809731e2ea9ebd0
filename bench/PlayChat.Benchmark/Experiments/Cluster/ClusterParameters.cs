namespace PlayChat.Benchmark.Experiments.Cluster;

/// <summary>The parameters of the cluster experiment.</summary>
/// <param name="Nodes">The numbers of nodes.</param>
/// <param name="Clients">Players.</param>
/// <param name="Rooms">Rooms; the players of each are spread over the nodes.</param>
/// <param name="MessagesPerSecond">Messages per second of each player.</param>
/// <param name="Warmup">Seconds of warm-up.</param>
/// <param name="Duration">Seconds of measurement.</param>
internal sealed record ClusterParameters(
    IReadOnlyList<int> Nodes, int Clients, int Rooms, double MessagesPerSecond, double Warmup, double Duration)
{
    /// <summary>The longest p99 by which the load may be late, as on the command line; a later load makes a run invalid.</summary>
    public string MaxLag { get; init; } = "50ms";

    /// <summary>About two minutes for each engine.</summary>
    public static ClusterParameters Quick { get; } = new(
        [1, 2, 3], Clients: 300, Rooms: 30, MessagesPerSecond: 10, Warmup: 8, Duration: 10);

    /// <summary>Less than half a minute for each engine.</summary>
    public static ClusterParameters Smoke { get; } = Quick with
    {
        Nodes = [2],
        Clients = 30,
        Rooms = 3,
        Warmup = 0.5,
        Duration = 1,
        MaxLag = "10s", // nothing is compared, and a build server has other work
    };

    /// <summary>About three minutes for each engine.</summary>
    public static ClusterParameters Standard { get; } = Quick with { Warmup = 15, Duration = 20 };

    /// <summary>About six minutes for each engine.</summary>
    public static ClusterParameters Full { get; } = Quick with { Warmup = 20, Duration = 60 };
}
