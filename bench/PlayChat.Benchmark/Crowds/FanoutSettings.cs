namespace PlayChat.Benchmark.Crowds;

/// <summary>A load whose messages go to all members of a room.</summary>
/// <param name="Rooms">The rooms that they are spread over.</param>
internal sealed record FanoutSettings(int Clients, int Rooms, double MessagesPerSecond, PayloadMix Mix, int Seed)
{
    /// <summary>In front of a text without the chat protocol: length(2) + sender(2).</summary>
    public const int HeaderBytes = 4;

    /// <summary>Without the chat protocol, sender ids are two bytes.</summary>
    public const int MaxSenders = ushort.MaxValue;

    /// <summary>Extra clients in the same rooms that send nothing and never read.</summary>
    public int Stalled { get; init; }

    /// <summary>Messages per second of one more client that measures its own round trip; 0: there is none.</summary>
    public double ObserverMessagesPerSecond { get; init; }

    public int ConnectAtOnce { get; init; } = ConnectionCrowd.AtOnce;

    /// <summary>A delivery that comes later than this after its planned time is counted as late.</summary>
    public TimeSpan Late { get; init; } = TimeSpan.FromMilliseconds(50);

    /// <summary>The run is not valid when a hundredth of the messages was sent later than this after the planned time.</summary>
    public TimeSpan MaxLag { get; init; } = TimeSpan.FromMilliseconds(50);

    /// <summary>Nodes of a cluster: the members of each room are spread over them. Empty for one server.</summary>
    public IReadOnlyList<ServerAddress> Nodes { get; init; } = [];

    public bool HasObserver => ObserverMessagesPerSecond > 0;

    /// <summary>Clients that read: those that send, and the observer.</summary>
    public int Readers => Clients + (HasObserver ? 1 : 0);

    public int LargestRoom => new ChatRoster(Clients, Rooms).LargestRoom;

    public int Connections => Readers + Stalled;

    public void Write(JsonObject report)
    {
        report["clients"] = Clients;
        report["rooms"] = Rooms;
        report["rps"] = MessagesPerSecond;
        report["mix"] = Mix.Text;
        report["seed"] = Seed;
    }
}
