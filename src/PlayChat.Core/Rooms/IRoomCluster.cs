namespace PlayChat.Core.Rooms;

/// <summary>The cluster with which a server shares rooms.</summary>
internal interface IRoomCluster
{
    /// <summary>Returns the id of a room: the same on all nodes, and none that a registry counts up to.</summary>
    long IdOf(string name);

    /// <summary>Makes the role of this node's replica of a room.</summary>
    /// <param name="roomId">The room's id.</param>
    /// <param name="node">The node that is to run the room first; <see langword="null"/> for any (<see cref="RoomSettings.Node"/>).</param>
    /// <param name="makeOwned">Makes the object of the room while this node runs it, with the role that it gets.</param>
    RoomRole CreateReplica(long roomId, string? node, Func<RoomRole, Room> makeOwned);
}
