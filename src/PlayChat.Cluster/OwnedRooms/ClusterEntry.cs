namespace PlayChat.Cluster.OwnedRooms;

/// <summary>A record of a room, or something that happened to the node, in the order in which the node learned of it.</summary>
/// <param name="Life">The life of the node that has read it.</param>
/// <param name="Kind">What it is.</param>
/// <param name="Origin">The node that published it, or the node that is meant.</param>
/// <param name="Body">A copy of the record's body; empty if there is none.</param>
internal readonly record struct ClusterEntry(NodeLife Life, ClusterEntryKind Kind, RecordOrigin Origin, byte[] Body)
{
    internal BinaryReader Read() => new(new MemoryStream(Body, writable: false));
}
