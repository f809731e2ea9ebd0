using System.Buffers;
using PlayChat.Core.Cluster;
using PlayChat.Core.Connections;
using PlayChat.Core.Framing;
using PlayChat.Core.Sessions;

namespace PlayChat.Core.Rooms;

/// <summary>Runs a room of a cluster on the node that owns it. The room's members have sessions that stand for those on their
/// nodes.</summary>
/// <remarks>Invariant: <c>_members</c> has the sessions that are members of the room, and the one that is joining. Only the room's turn
/// uses the class, except what says otherwise.</remarks>
internal sealed class OwnedRoom : ClusterRole
{
    private readonly RoomCluster _cluster;
    private readonly ClusterLife _life;
    private readonly long _roomId;
    private readonly IReadOnlyList<ClusterSeat> _earlierSeats;
    private readonly byte[]? _earlierState;
    private readonly IReadOnlyList<RecordOrigin> _down;
    private readonly ClusterSender _sender;
    private readonly Dictionary<long, (Session Session, ClusterSeat Seat)> _members = []; // by session id
    private ClusterOutbox _outbox = null!; // set by the room's constructor
    private byte[]? _state; // as published last
    private bool _hasNewSeats;
    private volatile bool _isLost;

    internal OwnedRoom(
        RoomCluster cluster,
        ClusterLife life,
        long roomId,
        IReadOnlyList<ClusterSeat> seats,
        byte[]? state,
        IReadOnlyList<RecordOrigin> down)
    {
        _cluster = cluster;
        _life = life;
        _roomId = roomId;
        _earlierSeats = seats;
        _earlierState = _state = state;
        _down = down;
        _sender = new ClusterSender(roomId);
        _sender.Begin(life);
    }

    public override void OnCreate()
    {
        Room.RunGuarded(static hooks => hooks.OnCreate(), Hooks);
        if (_earlierState is not null)
        {
            Room.RunGuarded(static owned => owned.Room.Restore(owned._earlierState), this);
        }

        foreach (ClusterSeat seat in _earlierSeats)
        {
            Room.RunGuarded(static state => state.Owned.Restore(state.Seat), (Owned: this, Seat: seat));
        }

        foreach (RecordOrigin node in _down)
        {
            LoseMembersOf(node);
        }

        ReturnMembers(static _ => true);
        Publish(isForced: true);
        Room.Repeat(_cluster.Options.SnapshotInterval, OnInterval);
    }

    public override void OnTick(in RoomTick tick) => Hooks.OnTick(in tick);

    public override void OnEmpty() => Hooks.OnEmpty();

    public override void OnDispose() => Hooks.OnDispose();

    public override void Run(in RoomItem item) => Hooks.Run(in item);

    public override void OnSessionChanged(Session session) => Hooks.OnSessionChanged(session);

    public override void Dismiss(Session member)
    {
        if (_isLost)
        {
            Room.Drop(member); // it is a member still, at the new owner
        }
        else
        {
            Hooks.Dismiss(member);
        }
    }

    public override void OnEnded()
    {
        Hooks.OnEnded();
        if (!_isLost)
        {
            _outbox.Add(ClusterOutputKind.Removed, 0, static (_, _) => { });
            _outbox.Cut();
            _ = _cluster.ReleaseAsync(_roomId);
        }
    }

    /// <summary>Publishes the last state, and that this node gives the room up. Thread-safe.</summary>
    internal void Release() => Enqueue(new ClusterEntry(_life, ClusterEntryKind.Released, _life.Origin, []));

    /// <summary>The room has another owner: the object ends, and what it sends goes nowhere. Thread-safe.</summary>
    internal void Lose()
    {
        _isLost = true;
        _ = Room.PostAsync(static (Room room, OwnedRoom owned) => owned.End(), this).AsTask();
    }

    /// <summary>Members may have missed something. Thread-safe.</summary>
    internal void Resync() => Enqueue(new ClusterEntry(_life, ClusterEntryKind.Gap, _life.Origin, []));

    internal override RoomOutbox CreateOutbox(RoomMembership members, RoomServices services) =>
        _outbox = new ClusterOutbox(members, services, _sender, _cluster.Options.MaxRecordBytes);

    internal override void OnAttached(Session session)
    {
        _hasNewSeats = true;
        _outbox.Add(ClusterOutputKind.Joined, _members[session.Id].Seat, static (writer, seat) => seat.Write(writer));
    }

    internal override void OnTakenOut(Session session)
    {
        _hasNewSeats = true;
        if (_members.Remove(session.Id))
        {
            AddLeft(session.Id);
        }
    }

    private protected override void OnDrained()
    {
    }

    private protected override void OnOverflow() => Publish(isForced: true); // the replicas then repeat what they want

    private protected override void Handle(in ClusterEntry entry)
    {
        if (_isLost)
        {
            return;
        }

        switch (entry.Kind)
        {
            case ClusterEntryKind.Join:
                Join(in entry);
                break;
            case ClusterEntryKind.Leave:
                Leave(in entry);
                break;
            case ClusterEntryKind.Away or ClusterEntryKind.Return:
                OnLinkChanged(in entry);
                break;
            case ClusterEntryKind.Packet or ClusterEntryKind.Frame:
                OnReceived(in entry);
                break;
            case ClusterEntryKind.NodeDown:
                LoseMembersOf(entry.Origin);
                break;
            case ClusterEntryKind.Sync:
                Publish(isForced: true);
                if (entry.Body is [1])
                {
                    RecordOrigin node = entry.Origin;
                    ReturnMembers(seat => seat.Node == node);
                }

                break;
            case ClusterEntryKind.Gap:
                Publish(isForced: true);
                ReturnMembers(static _ => true);
                break;
            case ClusterEntryKind.Released:
                Publish(isForced: true);
                _sender.Send(ClusterEntryKind.Released, []);
                _isLost = true;
                End();
                break;
        }
    }

    private void End()
    {
        if (!_sender.HasUnsent || !_isLost)
        {
            _sender.Begin(null);
        }

        Hooks.Remove();
    }

    private void OnInterval()
    {
        if (_isLost)
        {
            return;
        }

        if (_sender is { HasOverflowed: true, HasUnsent: false })
        {
            _sender.HasOverflowed = false;
            Resync();
        }

        Publish(isForced: false);
    }

    private void Restore(ClusterSeat seat)
    {
        Session session = CreateSession(seat);
        bool isRestored = false;
        try
        {
            isRestored = Room.RestoreMember(session, seat.Argument);
        }
        finally
        {
            if (!isRestored)
            {
                _members.Remove(seat.SessionId);
                AddLeft(seat.SessionId);
            }
        }
    }

    private void Join(in ClusterEntry entry)
    {
        using BinaryReader reader = entry.Read();
        ClusterSeat seat = ClusterSeat.Read(reader) with { Node = entry.Origin };
        string? password = reader.ReadBoolean() ? reader.ReadString() : null;
        if (_members.TryGetValue(seat.SessionId, out (Session Session, ClusterSeat Seat) there))
        {
            OnAttached(there.Session); // the node asks again, because it has not seen the answer
            AddAnswer(seat.SessionId, EnterResult.Entered, null);
            return;
        }

        (EnterResult Result, string? Reason) answer = (EnterResult.Refused, "The room's code has failed.");
        try
        {
            answer = Room.AdmitMember(CreateSession(seat), password, seat.Argument);
        }
        finally
        {
            if (answer.Result != EnterResult.Entered)
            {
                _members.Remove(seat.SessionId);
            }

            AddAnswer(seat.SessionId, answer.Result, answer.Reason);
        }
    }

    private void Leave(in ClusterEntry entry)
    {
        using BinaryReader reader = entry.Read();
        long sessionId = reader.ReadInt64();
        if (_members.TryGetValue(sessionId, out (Session Session, ClusterSeat Seat) member) && member.Seat.Node == entry.Origin)
        {
            Room.LeaveMember(member.Session, (LeaveReason)reader.ReadByte());
        }
    }

    private void OnLinkChanged(in ClusterEntry entry)
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
            Room.TellAway(member.Session);
        }
        else
        {
            Room.TellReturned(member.Session, isRecovered);
        }
    }

    private void OnReceived(in ClusterEntry entry)
    {
        using BinaryReader reader = entry.Read();
        long sessionId = reader.ReadInt64();
        (FrameHeader header, _, byte[] body) = ClusterOutbox.ReadFrame(reader);
        if (_members.TryGetValue(sessionId, out (Session Session, ClusterSeat Seat) member))
        {
            Room.Receive(member.Session, header, body, entry.Kind == ClusterEntryKind.Packet);
        }
    }

    private void LoseMembersOf(RecordOrigin node)
    {
        foreach ((Session session, ClusterSeat seat) in _members.Values.ToArray())
        {
            if (seat.Node == node)
            {
                Room.LeaveMember(session, LeaveReason.NodeLost);
            }
        }
    }

    private void ReturnMembers(Func<ClusterSeat, bool> isMeant)
    {
        foreach ((Session session, ClusterSeat seat) in _members.Values.ToArray())
        {
            if (isMeant(seat))
            {
                Room.TellReturned(session, isRecovered: false);
            }
        }
    }

    /// <summary>Publishes the members and the state, if there is something new.</summary>
    private void Publish(bool isForced)
    {
        var buffer = new ArrayBufferWriter<byte>();
        bool isWritten = false;
        Room.RunGuarded(
            static state =>
            {
                state.Room.Snapshot(state.buffer);
                state.Done();
            },
            (Room, buffer, Done: (Action)(() => isWritten = true)));
        if (isWritten && buffer.WrittenCount > _cluster.Options.MaxSnapshotBytes)
        {
            RoomLog.SnapshotTooLarge(_cluster.Logger, _roomId, Room.Name, buffer.WrittenCount, _cluster.Options.MaxSnapshotBytes);
            isWritten = false;
        }

        bool hasNewState = isWritten && !buffer.WrittenSpan.SequenceEqual(_state);
        if (hasNewState)
        {
            _state = buffer.WrittenCount == 0 ? null : buffer.WrittenSpan.ToArray();
        }

        if (hasNewState || _hasNewSeats || isForced)
        {
            _hasNewSeats = false;
            _outbox.Cut(); // the members of the snapshot are those after what the turn has sent so far
            ClusterSeat[] seats = [.. _members.Values.Select(static member => member.Seat)];
            foreach (byte[] part in SnapshotReader.Write(seats, _state, _cluster.Options.MaxRecordBytes))
            {
                _sender.Send(ClusterEntryKind.Snapshot, part);
            }
        }
    }

    private Session CreateSession(ClusterSeat seat)
    {
        var connection = new Connection(new ProxyLink(seat.SessionId, _life, _roomId), _cluster.ProxyServices);
        var session = new Session(connection, seat.SessionId);
        if (seat.User is { } user)
        {
            session.SetUser(user);
        }

        connection.Set(session);
        _members[seat.SessionId] = (session, seat);
        return session;
    }

    private void AddLeft(long sessionId) =>
        _outbox.Add(ClusterOutputKind.Left, sessionId, static (writer, id) => writer.Write(id));

    private void AddAnswer(long sessionId, EnterResult result, string? reason) => _outbox.Add(
        ClusterOutputKind.Answer,
        (sessionId, result, reason),
        static (writer, answer) =>
        {
            writer.Write(answer.sessionId);
            writer.Write((byte)answer.result);
            writer.Write(answer.reason ?? "");
        });
}
