namespace PlayChat.Core.Rooms;

internal sealed class RoomServices : IDisposable
{
    private readonly FlushLane[] _lanes = [.. Enumerable.Range(0, FlushLanes).Select(static _ => new FlushLane())];
    private RoomClock? _clock;
    private SlowWork? _slowWork;

    /// <summary>
    /// The number of rooms that are flushed at the same time. One processor is left to receive: with sends on all of them a turn finds
    /// little to send, and a send costs nearly the same whatever its size is.
    /// </summary>
    internal static int FlushLanes { get; } = Math.Max(1, Environment.ProcessorCount - 1);

    internal required FrameFormat Format { get; init; }

    /// <summary>The packets that messages are sent as; none by default.</summary>
    internal PacketSet Packets { get; init; } = new();

    /// <summary>The filters that messages pass on their way out; <see langword="null"/> if there are none.</summary>
    internal PacketOutlet? Outlet { get; init; }

    /// <summary>The application's services, for rooms; empty by default.</summary>
    internal IServiceProvider Provider { get; init; } = NoServices.Instance;

    internal required RoomOptions Options { get; init; }

    /// <summary>A turn that has sent so many bytes ends, so that one turn never fills the outbound queue of a member that reads.</summary>
    internal required int MaxTurnBytes { get; init; }

    /// <summary>The encoded bytes that a room keeps for a member that is away; 0 for none.</summary>
    internal int ReplayBytes { get; init; }

    internal required SegmentPool Pool { get; init; }

    internal required ServerMetrics Metrics { get; init; }

    internal required TimeProvider Time { get; init; }

    internal required ILogger Logger { get; init; }

    /// <summary>Notices turns that block.</summary>
    internal SlowWork SlowWork => LazyInitializer.EnsureInitialized(ref _slowWork, () => new SlowWork(Time, Metrics));

    /// <summary>Wakes the rooms whose timers are due or whose flush interval has passed. Created at the first use.</summary>
    internal RoomClock Clock => LazyInitializer.EnsureInitialized(ref _clock, () => new RoomClock(Time));

    /// <summary>Returns the lane of a room, always the same one.</summary>
    internal FlushLane FlushLaneOf(long roomId) => _lanes[roomId % _lanes.Length];

    /// <summary>Of the rooms' random numbers; <see langword="null"/> for other numbers in each run.</summary>
    internal int? Seed { get; set; }

    /// <summary>The cluster that shares rooms; <see langword="null"/> if there is none.</summary>
    internal IRoomCluster? Cluster { get; set; }

    /// <summary>Saves rooms; <see langword="null"/> if nothing does.</summary>
    internal IRoomPersistence? Persistence { get; set; }

    /// <summary>
    /// Called with each new room before its first turn; may give the room a tape. Thread-safe. <see langword="null"/> if nothing records
    /// rooms.
    /// </summary>
    internal Action<Room>? Record { get; set; }

    /// <summary>Finds what handles a packet in a room, for packets from other nodes.</summary>
    internal Func<ushort, RoomInvoker?>? FindInvoker { get; init; }

    // Creates the clock if there is none: a room that is about to wait must find a disposed clock.
    public void Dispose() => Clock.Dispose();
}
