using PlayChat.Benchmark.Fanout;
using PlayChat.Benchmark.Run;

namespace PlayChat.Benchmark.Classroom;

/// <summary>What a load of length(2) + sender(2) + payload is, where every message goes to every connection of its room.</summary>
/// <param name="Clients">Connections that send.</param>
/// <param name="Rooms">How many rooms the server deals them out to.</param>
/// <param name="MessagesPerSecond">Of each connection.</param>
/// <param name="Payloads">How long the payloads are.</param>
/// <param name="Seed">Makes phases, sizes and payloads.</param>
internal sealed record ClassroomSettings(int Clients, int Rooms, double MessagesPerSecond, PayloadMix Payloads, int Seed)
{
    /// <summary>length(2) + sender(2).</summary>
    public const int HeaderBytes = 4;

    /// <summary>Sender ids are two bytes.</summary>
    public const int MaxClients = ushort.MaxValue;

    /// <summary>Messages a second of one more connection that measures its own round trip; 0: there is none.</summary>
    public double ObserverMessagesPerSecond { get; init; }

    /// <summary>Connections besides that never read.</summary>
    public int Stalled { get; init; }

    /// <summary>How many connections are made at once.</summary>
    public int ConnectAtOnce { get; init; } = ConnectionCrowd.AtOnce;

    /// <summary>A delivery that comes later than this after its planned time is counted as late.</summary>
    public TimeSpan Late { get; init; } = TimeSpan.FromMilliseconds(50);

    /// <summary>The run is not valid when a hundredth of the messages was sent later than this after the planned time.</summary>
    public TimeSpan MaxLag { get; init; } = TimeSpan.FromMilliseconds(50);

    /// <summary>The first of the connections that this process makes, when several processes share the load.</summary>
    public int First { get; init; }

    /// <summary>The number of connections that read and that this process makes; <see langword="null"/> for all.</summary>
    public int? Own { get; init; }

    public bool HasObserver => ObserverMessagesPerSecond > 0;

    /// <summary>Connections that read: those that send, and the observer.</summary>
    public int Readers => Clients + (HasObserver ? 1 : 0);

    /// <summary>All connections of the run.</summary>
    public int Connections => Readers + Stalled;
}
