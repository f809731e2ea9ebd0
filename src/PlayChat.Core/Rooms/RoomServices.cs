using Microsoft.Extensions.Logging;
using PlayChat.Core.Buffers;
using PlayChat.Core.Connections;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;

namespace PlayChat.Core.Rooms;

/// <summary>What all rooms of a server have in common.</summary>
internal sealed class RoomServices : IDisposable
{
    private readonly FlushLane[] _lanes = [.. Enumerable.Range(0, FlushLanes).Select(static _ => new FlushLane())];
    private RoomClock? _clock;

    /// <summary>
    /// How many rooms are flushed at a time. One processor is left to what comes in: with sends on all of them a turn finds little to send, and
    /// a send costs nearly the same whatever is in it.
    /// </summary>
    internal static int FlushLanes { get; } = Math.Max(1, Environment.ProcessorCount - 1);

    internal required FrameFormat Format { get; init; }

    /// <summary>What messages are sent as; none by default.</summary>
    internal PacketSet Packets { get; init; } = new();

    /// <summary>What messages pass on their way out; <see langword="null"/> when nothing wants to see them.</summary>
    internal PacketOutlet? Outlet { get; init; }

    internal required RoomOptions Options { get; init; }

    /// <summary>A turn that has broadcast so much ends, so that one turn never fills the outbound queue of a member who reads.</summary>
    internal required int MaxTurnBytes { get; init; }

    internal required SegmentPool Pool { get; init; }

    internal required ServerMetrics Metrics { get; init; }

    internal required TimeProvider Time { get; init; }

    internal required ILogger Logger { get; init; }

    /// <summary>Wakes rooms whose timers are due or whose flush interval has passed. Made when it is first needed.</summary>
    internal RoomClock Clock => LazyInitializer.EnsureInitialized(ref _clock, () => new RoomClock(Time));

    /// <summary>Where a room is flushed: always the same one.</summary>
    internal FlushLane FlushLaneOf(Room room) => _lanes[room.Id % _lanes.Length];

    public void Dispose() => Clock.Dispose(); // made for that if need be: a room that would yet wait must find it disposed of
}
