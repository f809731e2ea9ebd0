using PlayChat.Benchmark.Fanout;

namespace PlayChat.Benchmark.Experiments.ChatFanout;

/// <summary>The parameters of the chat fan-out.</summary>
/// <param name="Clients">Players.</param>
/// <param name="Rooms">Rooms that the players are spread over.</param>
/// <param name="MessagesPerSecond">Messages per second of each player.</param>
/// <param name="Mix">Sizes of the texts, as on the command line.</param>
/// <param name="Late">The delay from which a delivery is late, as on the command line.</param>
/// <param name="P99Limit">The limit of the capacity search, as on the command line.</param>
/// <param name="StalledReaders">Extra players that do not read, in a case of their own.</param>
/// <param name="Warmup">Seconds of warm-up.</param>
/// <param name="Duration">Seconds of measurement.</param>
/// <param name="BroadcastDuration">Seconds of measurement of the same load without chat.</param>
/// <param name="StepDuration">Seconds of a step of the capacity search.</param>
/// <param name="Precision">The precision of that search.</param>
internal sealed record ChatFanoutParameters(
    int Clients,
    int Rooms,
    double MessagesPerSecond,
    string Mix,
    string Late,
    string P99Limit,
    int StalledReaders,
    double Warmup,
    double Duration,
    double BroadcastDuration,
    double StepDuration,
    double Precision)
{
    /// <summary>The longest p99 by which the load may be late, as on the command line; a later load makes a run invalid.</summary>
    public string MaxLag { get; init; } = "50ms";

    /// <summary>About two minutes.</summary>
    public static ChatFanoutParameters Quick { get; } = new(
        500,
        10,
        10,
        PayloadMix.Default,
        "50ms",
        "50ms",
        5,
        Warmup: 3,
        Duration: 8,
        BroadcastDuration: 3,
        StepDuration: 2,
        Precision: 0.25);

    /// <summary>Less than half a minute.</summary>
    public static ChatFanoutParameters Smoke { get; } = Quick with
    {
        Clients = 100,
        Rooms = 5,
        Warmup = 0.5,
        Duration = 1,
        BroadcastDuration = 1,
        StepDuration = 0.5,
        Precision = 0.5,
        MaxLag = "10s", // nothing is compared, and a build server has other work
    };

    /// <summary>About three minutes.</summary>
    public static ChatFanoutParameters Standard { get; } = Quick with
    {
        Warmup = 5,
        Duration = 15,
        BroadcastDuration = 6,
        StepDuration = 3,
        Precision = 0.1,
    };

    /// <summary>As published.</summary>
    public static ChatFanoutParameters Full { get; } = Quick with
    {
        Warmup = 10,
        Duration = 250,
        BroadcastDuration = 60,
        StepDuration = 10,
        Precision = 0.05,
    };
}
