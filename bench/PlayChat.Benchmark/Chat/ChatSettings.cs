namespace PlayChat.Benchmark.Chat;

/// <summary>What the chat load is.</summary>
/// <param name="Clients">How many log in.</param>
/// <param name="Rooms">How many rooms they are spread over.</param>
/// <param name="MessagesPerSecond">Of each client.</param>
/// <param name="Mix">How long the texts are.</param>
/// <param name="Seed">Makes phases, sizes and texts.</param>
internal sealed record ChatSettings(int Clients, int Rooms, double MessagesPerSecond, PayloadMix Mix, int Seed)
{
    /// <summary>Clients besides, spread over the same rooms, who say nothing and read nothing.</summary>
    public int Silent { get; init; }

    /// <summary>Clients besides, all in one more room.</summary>
    public int Flood { get; init; }

    /// <summary>Messages a second of each of those.</summary>
    public double FloodMessagesPerSecond { get; init; } = 100;

    /// <summary>A delivery that comes later than this after its planned time is counted as late.</summary>
    public TimeSpan Late { get; init; } = TimeSpan.FromMilliseconds(50);

    /// <summary>The run is not valid when a hundredth of the messages was sent later than this after the planned time.</summary>
    public TimeSpan MaxLag { get; init; } = TimeSpan.FromMilliseconds(50);

    /// <summary>All connections of the run.</summary>
    public int Connections => Clients + Silent + Flood;
}
