namespace PlayChat.Cluster.OwnedRooms;

/// <summary>A member of a room as all nodes know it.</summary>
/// <param name="SessionId">Unique in the cluster.</param>
/// <param name="Join">The number of the join that has made it a member: each join of a node has another one.</param>
/// <param name="Node">The node that has the session.</param>
/// <param name="User">The user of the session, if it has logged in.</param>
/// <param name="Argument">The argument of its join, encoded.</param>
internal sealed record ClusterSeat(long SessionId, long Join, RecordOrigin Node, SessionUser? User, byte[] Argument)
{
    internal static ClusterSeat Read(BinaryReader reader) => new(
        reader.ReadInt64(),
        reader.ReadInt64(),
        new RecordOrigin(reader.ReadInt32(), reader.ReadInt64()),
        reader.ReadBoolean() ? new SessionUser(reader.ReadInt64(), reader.ReadString()) : null,
        reader.ReadBytes(reader.ReadInt32()));

    internal void Write(BinaryWriter writer)
    {
        writer.Write(SessionId);
        writer.Write(Join);
        writer.Write(Node.NodeId);
        writer.Write(Node.Incarnation);
        writer.Write(User is not null);
        if (User is { } user)
        {
            writer.Write(user.Id);
            writer.Write(user.Name);
        }

        writer.Write(Argument.Length);
        writer.Write(Argument);
    }
}
