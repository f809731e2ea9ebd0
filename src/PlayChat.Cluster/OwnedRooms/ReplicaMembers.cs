namespace PlayChat.Cluster.OwnedRooms;

/// <summary>The members of a room of a cluster as one node knows them, and the delivery to those of this node.</summary>
/// <remarks>Invariant: <c>_seats</c> has the members on all nodes as of the last record that was handled, and <see cref="Present"/> those
/// of them that have a session here. Only the room's turn uses the class.</remarks>
internal sealed class ReplicaMembers(RoomCluster cluster, RoomReplica replica, ReplicaRequests requests)
{
    private readonly Dictionary<long, ClusterSeat> _seats = []; // by session id
    private RecordOrigin _node;

    /// <summary>The room's members on this node.</summary>
    internal ReplicaSessions Present { get; } = new(cluster);

    /// <summary>The joins that wait for the owner's answer.</summary>
    internal ReplicaJoins Joins { get; } = new();

    /// <summary>A copy.</summary>
    internal ClusterSeat[] Seats => [.. _seats.Values];

    private Room Room => replica.Room;

    internal void Begin(RecordOrigin node)
    {
        _node = node;
        _seats.Clear();
    }

    /// <summary>Closes the connections of the members on this node, because the node has lost its place in the cluster.</summary>
    internal void CloseAll()
    {
        foreach (Session session in Present.All)
        {
            Close(session);
        }
    }

    /// <summary>Tells a new owner, or an owner that may have missed it, what this node's sessions want.</summary>
    internal void AskAgain()
    {
        foreach (ClusterSeat seat in _seats.Values)
        {
            if (seat.Node == _node && !Present.Contains(seat.SessionId))
            {
                requests.Leave(seat.SessionId, seat.Join, LeaveReason.SessionEnded);
            }
        }

        foreach (PendingJoin join in Joins.All)
        {
            requests.Join(join);
        }
    }

    /// <summary>Takes over the members that an owner has published.</summary>
    internal void Replace(ClusterSeat[] seats)
    {
        _seats.Clear();
        foreach (ClusterSeat seat in seats)
        {
            Seat(seat);
            if (Present.Contains(seat.SessionId))
            {
                Joins.End(seat.SessionId, seat.Join, JoinStatus.Joined, null); // its answer was lost, if it still waits
            }
        }

        foreach (Session unknown in Present.All.Where(session => !_seats.ContainsKey(session.Id)))
        {
            Close(unknown); // the owner has taken the room over without its members: the client has to join again
        }
    }

    /// <summary>Does what the owner has published.</summary>
    internal void Deliver(BinaryReader reader)
    {
        while (reader.BaseStream.Position < reader.BaseStream.Length)
        {
            switch ((ClusterOutputKind)reader.ReadByte())
            {
                case ClusterOutputKind.ToAll:
                    Present.Broadcast(Room.Outbox, reader, except: null);
                    break;
                case ClusterOutputKind.ToOthers:
                    Present.Broadcast(Room.Outbox, reader, except: reader.ReadInt64());
                    break;
                case ClusterOutputKind.ToSome:
                    Present.SendTo(Room.Outbox, reader);
                    break;
                case ClusterOutputKind.Joined:
                    Seat(ClusterSeat.Read(reader));
                    break;
                case ClusterOutputKind.Answer:
                    Joins.End(reader.ReadInt64(), reader.ReadInt64(), (JoinStatus)reader.ReadByte(), reader.ReadString());
                    break;
                case ClusterOutputKind.Left:
                    Unseat(reader.ReadInt64(), reader.ReadInt64());
                    break;
                case ClusterOutputKind.Close:
                    Present.Close(reader.ReadInt64(), (CloseReason)reader.ReadInt32());
                    break;
                case ClusterOutputKind.Transferred:
                    TakeOver(reader);
                    break;
                case ClusterOutputKind.AskAgain:
                    AskAgain();
                    break;
                default:
                    return; // of a newer version
            }
        }
    }

    /// <summary>Ends a membership on this node, and tells the owner.</summary>
    internal void Leave(Session session, LeaveReason reason)
    {
        Room.Unseat(session);
        if (_seats.TryGetValue(session.Id, out ClusterSeat? seat))
        {
            requests.Leave(session.Id, seat.Join, reason);
        }
    }

    /// <summary>Ends a join that nothing waits for any more, and the membership that it has made.</summary>
    internal void GiveUp(PendingJoin join)
    {
        long id = join.Session.Id;
        bool isWaiting = Joins.Remove(join);
        if (Present.Contains(id) && _seats.TryGetValue(id, out ClusterSeat? seat) && seat.Join == join.Number)
        {
            Leave(join.Session, LeaveReason.SessionEnded);
        }
        else if (isWaiting)
        {
            requests.Leave(id, join.Number, LeaveReason.SessionEnded); // the owner may have let it in, or may yet
        }
    }

    private void Seat(ClusterSeat seat)
    {
        _seats[seat.SessionId] = seat;
        if (seat.Node != _node || Present.Contains(seat.SessionId))
        {
            return;
        }

        if (Joins.Find(seat.SessionId, seat.Join) is not { Session.HasEnded: false } join)
        {
            requests.Leave(seat.SessionId, seat.Join, LeaveReason.SessionEnded); // it has given up
            Joins.End(seat.SessionId, seat.Join, JoinStatus.SessionEnded, null);
        }
        else if (Room.Seat(join.Session) is var result && result != JoinStatus.Joined)
        {
            requests.Leave(seat.SessionId, seat.Join, LeaveReason.Expelled);
            Joins.End(seat.SessionId, seat.Join, result, null);
        }
    }

    /// <returns>The session, if it was a member on this node.</returns>
    private Session? Unseat(long sessionId, long join)
    {
        Session? session = null;
        if (_seats.TryGetValue(sessionId, out ClusterSeat? seat) && seat.Join == join)
        {
            _seats.Remove(sessionId);
            session = Present.Find(sessionId);
            if (session is not null)
            {
                Room.Unseat(session);
            }
        }

        return session;
    }

    /// <summary>Takes over the sessions of this node that the owner has handed over, except those that have left meanwhile.</summary>
    private void TakeOver(BinaryReader reader)
    {
        bool isNode = string.Equals(reader.ReadString(), cluster.Options.Endpoint, StringComparison.Ordinal);
        byte[] state = reader.ReadBytes(reader.ReadInt32());
        List<Session> sessions = [];
        for (int left = reader.ReadInt32(); left > 0; left--)
        {
            if (Unseat(reader.ReadInt64(), reader.ReadInt64()) is { } session)
            {
                sessions.Add(session);
            }
        }

        if (sessions.Count > 0 || isNode)
        {
            Room.RunGuarded(static to => to.Room.CallTransferred(to.sessions, to.state), (Room, sessions, state));
        }
    }

    private void Close(Session session)
    {
        Room.Unseat(session);
        session.Connection.TellAndClose(CloseReason.NodeFenced);
    }
}
