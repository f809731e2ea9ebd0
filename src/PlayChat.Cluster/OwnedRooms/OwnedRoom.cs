namespace PlayChat.Cluster.OwnedRooms;

/// <summary>Runs a room of a cluster on the node that owns it, and publishes its members and its state. Only the room's turn uses it,
/// except what says otherwise.</summary>
internal sealed class OwnedRoom : ClusterRole
{
    private readonly RoomCluster _cluster;
    private readonly RoomTenure _tenure;
    private readonly IReadOnlyList<ClusterSeat> _earlierSeats;
    private readonly IReadOnlyList<RecordOrigin> _down;
    private readonly ClusterSender _sender;
    private readonly OwnedMembers _members;
    private readonly long _begun; // a timestamp
    private ClusterOutbox _outbox = null!; // set by the room's constructor
    private byte[]? _state; // as published last
    private bool _hasNewSeats;
    private bool _mayBeEmpty; // the room has no members, and a session of this node has wanted to join it
    private volatile Phase _phase;
    private volatile bool _leavesNode; // whether the node has no replica any more

    internal OwnedRoom(
        RoomCluster cluster,
        RoomTenure tenure,
        IReadOnlyList<ClusterSeat> seats,
        byte[]? state,
        IReadOnlyList<RecordOrigin> down,
        bool hasHadJoins)
    {
        _cluster = cluster;
        _tenure = tenure;
        _earlierSeats = seats;
        _state = state;
        _down = down;
        _sender = tenure.Sender;
        _members = new OwnedMembers(this, cluster);
        _mayBeEmpty = hasHadJoins && seats.Count == 0;
        _begun = cluster.Time.GetTimestamp();
    }

    private enum Phase
    {
        Running,

        /// <summary>The room is given up: its last state is published, and it ends here. Its members stay.</summary>
        Released,

        /// <summary>Another node is the owner, or the node has no place in the cluster: the room ends here. Its members stay.</summary>
        Lost,
    }

    public override void OnCreate()
    {
        Room.RunGuarded(static hooks => hooks.OnCreate(), Hooks);
        if (_state is not null)
        {
            Room.RunGuarded(static owned => owned.Room.Restore(owned._state, isOwned: true), this);
        }

        foreach (ClusterSeat seat in _earlierSeats)
        {
            Room.RunGuarded(static state => state.Members.Restore(state.Seat), (Members: _members, Seat: seat));
        }

        foreach (RecordOrigin node in _down)
        {
            _members.LeaveAllOf(node, LeaveReason.NodeLost);
        }

        _members.ReturnAll();
        Publish(isForced: true);
        Room.Repeat(_cluster.Options.SnapshotInterval, OnInterval);
    }

    public override void TakeOut(Session member)
    {
        if (_phase == Phase.Running)
        {
            Hooks.TakeOut(member);
        }
        else
        {
            Room.Unseat(member); // it stays a member, at the new owner
        }
    }

    public override void OnEnded()
    {
        Hooks.OnEnded();
        bool isRemoved = _phase == Phase.Running;
        if (isRemoved)
        {
            _outbox.Cut();
            _tenure.SendReleased(isRemoved: true);
        }

        if (_phase != Phase.Lost)
        {
            _tenure.Release(isOver: isRemoved);
        }
    }

    /// <summary>Publishes the last state, and that this node gives the room up; the room then ends here. Thread-safe.</summary>
    /// <param name="leavesNode">Whether the node's replica has ended, so that the node's members leave.</param>
    internal void Release(bool leavesNode)
    {
        _leavesNode = leavesNode;
        Enqueue(new ClusterEntry(_tenure.Life, ClusterEntryKind.HandOver, _tenure.Life.Origin, []));
    }

    /// <summary>The room has another owner: the object ends, and what it sends goes nowhere. Thread-safe.</summary>
    internal void Lose()
    {
        _phase = Phase.Lost;
        _tenure.Lose();
        _ = Room.PostAsync(static (Room _, OwnedRoom owned) => owned.Hooks.Remove(), this).AsTask();
    }

    /// <summary>Members may have missed something. Thread-safe.</summary>
    internal void Resync() => Enqueue(new ClusterEntry(_tenure.Life, ClusterEntryKind.Gap, _tenure.Life.Origin, []));

    /// <summary>Publishes an entry of <see cref="ClusterOutputKind"/> behind what the room has sent so far. Thread-safe.</summary>
    internal void Publish(MemoryStream entry)
    {
        _outbox.Add(entry);
        if (Room.IsRemoved)
        {
            _outbox.Cut(); // it may have no further turn
        }
        else
        {
            PostDrain(); // the end of the turn hands it to the log
        }
    }

    internal bool HasPlaceFor(int bodyBytes) => _cluster.HasPlaceFor(bodyBytes, Room);

    internal void PublishJoined(ClusterSeat seat)
    {
        _hasNewSeats = true;
        _outbox.Add(ClusterOutputKind.Joined, seat, static (writer, seat) => seat.Write(writer));
    }

    internal void PublishLeft(ClusterSeat seat)
    {
        _hasNewSeats = true;
        _outbox.Add(ClusterOutputKind.Left, seat, static (writer, seat) =>
        {
            writer.Write(seat.SessionId);
            writer.Write(seat.Join);
        });
    }

    internal void PublishAnswer(ClusterSeat seat, JoinStatus result, string? reason) => _outbox.Add(
        ClusterOutputKind.Answer,
        (seat, result, reason),
        static (writer, answer) =>
        {
            writer.Write(answer.seat.SessionId);
            writer.Write(answer.seat.Join);
            writer.Write((byte)answer.result);
            writer.Write(answer.reason ?? "");
        });

    internal override IReadOnlyList<RoomNode> FindNodes(IReadOnlyList<Session> sessions) =>
        _cluster.Loads.All(sessions.Select(session => _members.SeatOf(session).Node));

    internal override void Transfer(ReadOnlySpan<Session> sessions, ReadOnlySpan<byte> state, string? node)
    {
        node ??= "";
        int bytes = ClusterOutbox.MaxOverhead + state.Length + (node.Length * sizeof(char)) + (sessions.Length * 2 * sizeof(long));
        if (bytes > _cluster.Options.MaxRecordBytes)
        {
            throw new ArgumentException(
                $"The transfer of {sessions.Length} sessions with {state.Length} bytes does not fit into a record of the cluster's log: "
                    + $"{bytes} bytes, at most {_cluster.Options.MaxRecordBytes}. Raise {nameof(RoomClusterOptions.MaxRecordBytes)}.",
                nameof(state));
        }

        // They are no members from here on, so that their leaves need no entries of their own.
        ClusterSeat[] seats = Array.ConvertAll(sessions.ToArray(), session => _members.Remove(session)!);
        _hasNewSeats = true;
        _cluster.Loads.Add(node);
        _outbox.Add(
            ClusterOutputKind.Transferred,
            (Seats: seats, State: state.ToArray(), Node: node),
            static (writer, transfer) =>
            {
                writer.Write(transfer.Node);
                writer.Write(transfer.State.Length);
                writer.Write(transfer.State);
                writer.Write(transfer.Seats.Length);
                foreach (ClusterSeat seat in transfer.Seats)
                {
                    writer.Write(seat.SessionId);
                    writer.Write(seat.Join);
                }
            });
    }

    internal override RoomUplink CreateUplink(RoomServices services) =>
        _outbox = new ClusterOutbox(services.Format, _sender, _cluster.Options.MaxRecordBytes);

    internal override void OnSeated(Session session) => PublishJoined(_members.SeatOf(session));

    internal override void OnUnseated(Session session)
    {
        if (_members.Remove(session) is { } seat)
        {
            PublishLeft(seat);
        }
    }

    private protected override void OnOverflow()
    {
        if (_phase == Phase.Running)
        {
            OnMissed();
        }
    }

    private protected override void Handle(in ClusterEntry entry)
    {
        if (_phase != Phase.Running)
        {
            return;
        }

        switch (entry.Kind)
        {
            case ClusterEntryKind.Join:
                _members.Join(in entry);
                break;
            case ClusterEntryKind.Leave:
                _members.Leave(in entry);
                break;
            case ClusterEntryKind.Away or ClusterEntryKind.Return:
                _members.OnLinkChanged(in entry);
                break;
            case ClusterEntryKind.Packet or ClusterEntryKind.Frame:
                _members.OnReceived(in entry);
                break;
            case ClusterEntryKind.NodeDown:
                _members.LeaveAllOf(entry.Origin, LeaveReason.NodeLost);
                break;
            case ClusterEntryKind.Sync:
                Publish(isForced: true);
                if (entry.Body is [1])
                {
                    _members.ReturnAll(entry.Origin);
                }

                break;
            case ClusterEntryKind.Gap:
                OnMissed();
                _members.ReturnAll();
                break;
            case ClusterEntryKind.HandOver:
                if (_leavesNode)
                {
                    _members.LeaveAllOf(_tenure.Life.Origin, LeaveReason.RoomRemoved);
                }

                Publish(isForced: true);
                _tenure.SendReleased();
                _phase = Phase.Released; // all nodes ignore what it sends from here on
                Hooks.Remove();
                break;
        }
    }

    /// <summary>What replicas have asked for may be lost.</summary>
    private void OnMissed()
    {
        Publish(isForced: true);
        _outbox.Add(ClusterOutputKind.AskAgain, 0, static (_, _) => { });
    }

    private void OnInterval()
    {
        if (_phase != Phase.Running)
        {
            return;
        }

        if (!_sender.HasUnsent && _sender.TakeOverflow())
        {
            Resync();
        }

        // By then every join that waited for an owner has been asked for again, or has failed, perhaps before the room had one.
        if (_mayBeEmpty && _cluster.Time.GetElapsedTime(_begun) > _cluster.Options.AnswerTimeout)
        {
            _mayBeEmpty = false;
            _ = Room.PostAsync(RoomCommand.Job, RoomCommand.RemoveIfEmpty, CancellationToken.None).AsTask();
        }

        Publish(isForced: false);
    }

    /// <summary>Publishes the members and the state, if there is something new.</summary>
    private void Publish(bool isForced)
    {
        bool hasNewState = WriteState();
        if (hasNewState || _hasNewSeats || isForced)
        {
            _hasNewSeats = false;
            _outbox.Cut(); // the members of the snapshot are those after what the turn has sent so far
            foreach (byte[] part in SnapshotReader.Write(_members.Seats, _state, _cluster.Options.MaxRecordBytes))
            {
                _sender.Send(ClusterEntryKind.Snapshot, part);
            }
        }
    }

    /// <returns>Whether the room's state differs from the one that was published last.</returns>
    private bool WriteState()
    {
        if (Room.SnapshotGuarded() is not { } buffer)
        {
            return false;
        }

        if (buffer.WrittenCount > _cluster.Options.MaxSnapshotBytes)
        {
            SharedRoomLog.SnapshotTooLarge(_cluster.Logger, Room.Id, Room.Name, buffer.WrittenCount, _cluster.Options.MaxSnapshotBytes);
            return false;
        }

        if (buffer.WrittenSpan.SequenceEqual(_state))
        {
            return false;
        }

        _state = buffer.WrittenCount == 0 ? null : buffer.WrittenSpan.ToArray();
        return true;
    }
}
