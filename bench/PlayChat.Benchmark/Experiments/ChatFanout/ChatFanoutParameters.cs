using PlayChat.Benchmark.Chat;

namespace PlayChat.Benchmark.Experiments.ChatFanout;

/// <summary>How large the experiment is, and how long.</summary>
/// <param name="Clients">Players.</param>
/// <param name="Rooms">Rooms they are spread over.</param>
/// <param name="MessagesPerSecond">Of each player.</param>
/// <param name="Mix">Sizes of the texts, as the command line has them.</param>
/// <param name="Late">From when on a delivery is late, as the command line has it.</param>
/// <param name="P99Limit">Of the capacity search, as the command line has it.</param>
/// <param name="StalledReaders">Players besides who do not read, in one more case.</param>
/// <param name="Warmup">Seconds before the measuring.</param>
/// <param name="Duration">Seconds of it.</param>
/// <param name="BroadcastDuration">Seconds of the same without the chat.</param>
/// <param name="StepDuration">Seconds of a step of the capacity search.</param>
/// <param name="Precision">Of that search.</param>
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
    /// <summary>About two minutes.</summary>
    public static ChatFanoutParameters Quick { get; } = new(500, 10, 10, PayloadMix.Default, "50ms", "50ms", 5, Warmup: 3, Duration: 8, BroadcastDuration: 3, StepDuration: 2, Precision: 0.25);

    /// <summary>As it was published.</summary>
    public static ChatFanoutParameters Full { get; } = new(500, 10, 10, PayloadMix.Default, "50ms", "50ms", 5, Warmup: 10, Duration: 250, BroadcastDuration: 60, StepDuration: 10, Precision: 0.05);
}
