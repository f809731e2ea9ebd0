namespace PlayChat.Cluster.OwnedRooms;

/// <summary>The sessions of one node that are members of a room of a cluster, and the delivery to them. Only the room's turn uses
/// it.</summary>
internal sealed class ReplicaSessions(RoomCluster cluster)
{
    private readonly Dictionary<long, Session> _sessions = []; // by id

    /// <summary>A copy.</summary>
    internal Session[] All => [.. _sessions.Values];

    internal bool Contains(long id) => _sessions.ContainsKey(id);

    internal Session? Find(long id) => _sessions.GetValueOrDefault(id);

    internal void Add(Session session) => _sessions[session.Id] = session;

    internal void Remove(Session session) => _sessions.Remove(session.Id);

    /// <summary>Sends the frame that follows in a record to all members, or to all but one.</summary>
    internal void Broadcast(RoomOutbox outbox, BinaryReader reader, long? except)
    {
        (FrameHeader header, Delivery delivery, byte[] body) = ClusterOutbox.ReadFrame(reader);
        outbox.Broadcast(body, header, delivery, except is { } id ? Find(id) : null);
    }

    /// <summary>Sends the frame that follows in a record to the sessions that it names, as far as they are on this node.</summary>
    internal void SendTo(RoomOutbox outbox, BinaryReader reader)
    {
        long[] ids = new long[reader.ReadInt32()];
        for (int i = 0; i < ids.Length; i++)
        {
            ids[i] = reader.ReadInt64();
        }

        (FrameHeader header, Delivery delivery, byte[] body) = ClusterOutbox.ReadFrame(reader);
        Session[] to = [.. ids.Select(FindAnywhere).OfType<Session>()];
        outbox.SendTo(to, body, header, delivery);
    }

    /// <summary>Closes the connection of a session, if it is on this node.</summary>
    internal void Close(long id, CloseReason reason) =>
        FindAnywhere(id)?.Connection.Close(reason == CloseReason.None ? CloseReason.LocalClose : reason);

    /// <summary>Finds a session that may be no member any more: a room may still send to it.</summary>
    private Session? FindAnywhere(long id) => Find(id) ?? cluster.Sessions.Find(id);
}
