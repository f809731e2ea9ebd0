using PlayChat.Cluster.Directory;

namespace PlayChat.Cluster.OwnedRooms;

/// <summary>Makes a server a node of a cluster that shares rooms (<see cref="RoomSettings.IsClustered"/>). Read when the server
/// starts.</summary>
public sealed class RoomClusterOptions
{
    /// <summary>The node's number: 1 to <see cref="IClusterDirectory.MaxNodeId"/>, of each node another one.</summary>
    public required int NodeId { get; init; }

    /// <summary>Where clients reach the node, such as <c>10.0.0.1:7000</c>; of each node another one. PlayChat does not read it.</summary>
    public required string Endpoint { get; init; }

    /// <summary>The directory, for this node alone. The caller disposes it after the server.</summary>
    public required IClusterDirectory Directory { get; init; }

    /// <summary>Makes the log for the life of the node that the directory has begun. The server disposes it.</summary>
    /// <remarks>Called at the start, and again after the node was lost. All nodes need the same number of shards.</remarks>
    public required Func<RecordOrigin, IRoomBackplane> CreateBackplane { get; init; }

    /// <summary>How often the owner of a room publishes its state (<see cref="Room.OnSnapshot"/>), if that has changed. Default 1 second;
    /// 50 ms to 1 hour.</summary>
    public TimeSpan SnapshotInterval { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>The largest state of a room in bytes. Default 1 MiB; 1 byte to 2 MiB. A larger one is logged as an Error and not
    /// published.</summary>
    /// <remarks>A room keeps at most 4 MiB that the log refuses for the moment, so a larger state would never be published whole.</remarks>
    public int MaxSnapshotBytes { get; init; } = 1 << 20;

    /// <summary>The largest record in bytes. It bounds a packet, a join's argument and a broadcast. Default 32 KiB; 1 KiB to 64 KiB, and at
    /// most <see cref="BackplaneOptions.MaxBodyBytes"/>.</summary>
    public int MaxRecordBytes { get; init; } = 32 << 10;

    /// <summary>How long a join waits for the room's owner; then its result is <see cref="JoinStatus.Unavailable"/>. Default 20 seconds,
    /// so that a join waits for a new owner when the former one was killed; 100 ms to 10 minutes.</summary>
    public TimeSpan AnswerTimeout { get; init; } = TimeSpan.FromSeconds(20);

    /// <summary>How often the node looks for nodes that have ended. Default 2 seconds; 50 ms to 1 hour.</summary>
    public TimeSpan SweepInterval { get; init; } = TimeSpan.FromSeconds(2);

    /// <exception cref="ArgumentException">A value is outside of its range.</exception>
    internal void Validate()
    {
        Require(Directory, nameof(Directory));
        Require(CreateBackplane, nameof(CreateBackplane));
        BackplaneOptions.Check(Endpoint?.Length ?? 0, 1, IClusterDirectory.MaxEndpointLength, "the length of " + nameof(Endpoint));
        BackplaneOptions.Check(NodeId, 1, IClusterDirectory.MaxNodeId, nameof(NodeId));
        BackplaneOptions.Check(SnapshotInterval.TotalMilliseconds, 50, 3_600_000, nameof(SnapshotInterval));
        BackplaneOptions.Check(MaxSnapshotBytes, 1, 2 << 20, nameof(MaxSnapshotBytes));
        BackplaneOptions.Check(MaxRecordBytes, 1 << 10, 64 << 10, nameof(MaxRecordBytes));
        BackplaneOptions.Check(AnswerTimeout.TotalMilliseconds, 100, 600_000, nameof(AnswerTimeout));
        BackplaneOptions.Check(SweepInterval.TotalMilliseconds, 50, 3_600_000, nameof(SweepInterval));
    }

    private static void Require(object? value, string name)
    {
        if (value is null)
        {
            throw new ArgumentNullException(name, "A node of a cluster needs it.");
        }
    }
}
