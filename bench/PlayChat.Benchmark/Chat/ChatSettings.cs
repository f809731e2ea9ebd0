using PlayChat.Benchmark.Fanout;
using PlayChat.Benchmark.Servers;

namespace PlayChat.Benchmark.Chat;

/// <summary>The settings of the chat load.</summary>
/// <param name="Clients">The clients that log in.</param>
/// <param name="Rooms">The rooms that the clients are spread over.</param>
/// <param name="MessagesPerSecond">Messages per second of each client.</param>
/// <param name="Mix">The lengths of the texts.</param>
/// <param name="Seed">Seed of phases, sizes and texts.</param>
internal sealed record ChatSettings(int Clients, int Rooms, double MessagesPerSecond, PayloadMix Mix, int Seed)
{
    /// <summary>Extra clients in the same rooms that send nothing and never read.</summary>
    public int Silent { get; init; }

    /// <summary>Extra clients in one extra room.</summary>
    public int Flood { get; init; }

    /// <summary>Messages a second of each of those.</summary>
    public double FloodMessagesPerSecond { get; init; } = 100;

    /// <summary>A delivery that comes later than this after its planned time is counted as late.</summary>
    public TimeSpan Late { get; init; } = TimeSpan.FromMilliseconds(50);

    /// <summary>The run is not valid when a hundredth of the messages was sent later than this after the planned time.</summary>
    public TimeSpan MaxLag { get; init; } = TimeSpan.FromMilliseconds(50);

    /// <summary>Nodes of a cluster: the members of each room are spread over them. Empty for one server.</summary>
    public IReadOnlyList<ServerAddress> Nodes { get; init; } = [];

    /// <summary>All connections of the run.</summary>
    public int Connections => Clients + Silent + Flood;
}
