namespace PlayChat.Cluster.OwnedRooms;

/// <summary>The members of a room at its owner. Each has a session that stands for the one on the member's node.</summary>
/// <remarks>Invariant: <c>_members</c> has the sessions that are members of the room, and the one that is joining. Only the room's turn
/// uses the class.</remarks>
internal sealed class OwnedMembers(OwnedRoom owned, RoomCluster cluster)
{
    private readonly Dictionary<long, (Session Session, ClusterSeat Seat)> _members = []; // by session id

    /// <summary>A copy.</summary>
    internal ClusterSeat[] Seats => [.. _members.Values.Select(static member => member.Seat)];

    private Room Room => owned.Room;

    internal ClusterSeat SeatOf(Session session) => _members[session.Id].Seat;

    /// <returns>The seat that the session had; <see langword="null"/> if it was no member.</returns>
    internal ClusterSeat? Remove(Session session) =>
        _members.Remove(session.Id, out (Session Session, ClusterSeat Seat) member) ? member.Seat : null;

    /// <summary>Makes a session a member again that was one at the former owner.</summary>
    internal void Restore(ClusterSeat seat)
    {
        bool isRestored = false;
        try
        {
            isRestored = Room.Restore(CreateSession(seat), seat.Argument);
        }
        finally
        {
            if (!isRestored)
            {
                _members.Remove(seat.SessionId);
                owned.PublishLeft(seat);
            }
        }
    }

    internal void Join(in ClusterEntry entry)
    {
        using BinaryReader reader = entry.Read();
        ClusterSeat seat = ClusterSeat.Read(reader) with { Node = entry.Origin };
        string? password = reader.ReadBoolean() ? reader.ReadString() : null;
        if (_members.TryGetValue(seat.SessionId, out (Session Session, ClusterSeat Seat) there))
        {
            if (there.Seat.Join == seat.Join)
            {
                owned.PublishJoined(there.Seat); // the node asks again, because it has not seen the answer
                owned.PublishAnswer(seat, JoinStatus.Joined, null);
                return;
            }

            Leave(there.Session, LeaveReason.Left); // it has left before it joined again, and that was lost
        }

        (JoinStatus Status, string? Reason) answer = (JoinStatus.Refused, "The room's code has failed.");
        try
        {
            answer = Room.Join(CreateSession(seat), password, seat.Argument);
        }
        finally
        {
            if (answer.Status != JoinStatus.Joined)
            {
                _members.Remove(seat.SessionId);
            }

            owned.PublishAnswer(seat, answer.Status, answer.Reason);
        }
    }

    internal void Leave(in ClusterEntry entry)
    {
        using BinaryReader reader = entry.Read();
        long sessionId = reader.ReadInt64();
        long join = reader.ReadInt64();
        if (_members.TryGetValue(sessionId, out (Session Session, ClusterSeat Seat) member)
            && member.Seat.Join == join && member.Seat.Node == entry.Origin)
        {
            Leave(member.Session, (LeaveReason)reader.ReadByte());
        }
    }

    /// <summary>The connection of a member is lost, or the member has resumed.</summary>
    internal void OnLinkChanged(in ClusterEntry entry)
    {
        using BinaryReader reader = entry.Read();
        long sessionId = reader.ReadInt64();
        bool isRecovered = reader.ReadByte() != 0;
        if (!_members.TryGetValue(sessionId, out (Session Session, ClusterSeat Seat) member))
        {
            return;
        }

        if (entry.Kind == ClusterEntryKind.Away)
        {
            Room.Tape?.LinkChanged(member.Session, isAway: true, isRecovered: false);
            Room.CallAway(member.Session);
        }
        else
        {
            Return(member.Session, isRecovered);
        }
    }

    /// <summary>A member has sent a packet or a frame.</summary>
    internal void OnReceived(in ClusterEntry entry)
    {
        using BinaryReader reader = entry.Read();
        long sessionId = reader.ReadInt64();
        (FrameHeader header, _, byte[] body) = ClusterOutbox.ReadFrame(reader);
        if (_members.TryGetValue(sessionId, out (Session Session, ClusterSeat Seat) member))
        {
            Room.Receive(member.Session, header, body, entry.Kind == ClusterEntryKind.Packet);
        }
    }

    /// <summary>The members of a node leave.</summary>
    internal void LeaveAllOf(RecordOrigin node, LeaveReason reason)
    {
        foreach ((Session session, ClusterSeat seat) in _members.Values.ToArray())
        {
            if (seat.Node == node)
            {
                Leave(session, reason);
            }
        }
    }

    /// <summary>Members may have missed something: the room sends them its state.</summary>
    /// <param name="of">Only those of this node; all without it.</param>
    internal void ReturnAll(RecordOrigin? of = null)
    {
        foreach ((Session session, ClusterSeat seat) in _members.Values.ToArray())
        {
            if (of is null || seat.Node == of)
            {
                Return(session, isRecovered: false);
            }
        }
    }

    private void Leave(Session session, LeaveReason reason)
    {
        Room.Tape?.Leave(session, reason);
        Room.Leave(session, reason);
    }

    private void Return(Session session, bool isRecovered)
    {
        Room.Tape?.LinkChanged(session, isAway: false, isRecovered);
        Room.CallReturned(session, isRecovered);
    }

    private Session CreateSession(ClusterSeat seat)
    {
        var connection = new Connection(new ProxyLink(seat.SessionId, owned), cluster.ProxyServices);
        var session = new Session(connection, seat.SessionId);
        if (seat.User is { } user)
        {
            session.SetUser(user);
        }

        connection.Set(session);
        _members[seat.SessionId] = (session, seat);
        return session;
    }
}
