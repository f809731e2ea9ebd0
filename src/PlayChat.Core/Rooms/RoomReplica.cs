using PlayChat.Core.Cluster;
using PlayChat.Core.Connections;
using PlayChat.Core.Framing;
using PlayChat.Core.Sessions;

namespace PlayChat.Core.Rooms;

/// <summary>A room of a cluster as one node has it: the sessions of this node that are members. It hands to the room's owner what they
/// send, and delivers what the owner sends.</summary>
/// <remarks>
/// <para>Invariant: <c>_seats</c> has the members on all nodes as of the last record that was handled, <c>_owner</c> the node that owns the
/// room by the log, and <c>_state</c> what it has published last. Records of the owner alone count. Only the room's turn uses the class,
/// except what says otherwise.</para>
/// <para>On the node that owns the room there is a second object of the room's class, which an <see cref="OwnedRoom"/> runs.</para>
/// </remarks>
internal sealed class RoomReplica : ClusterRole
{
    private const int LooksPerQuestion = 3; // how often a room without an owner asks the directory
    private const int LooksPerSync = 20; // how often a replica that has missed records asks the owner

    private readonly RoomCluster _cluster;
    private readonly Func<OwnedRoom, Room> _makeOwned;
    private readonly ClusterSender _sender;
    private readonly Dictionary<long, ClusterSeat> _seats = []; // by session id
    private readonly ReplicaJoins _joins = new();
    private readonly ReplicaSessions _present; // the room's members on this node
    private readonly HashSet<RecordOrigin> _down = [];
    private readonly SnapshotReader _snapshot = new();
    private ClusterLife? _life;
    private RecordOrigin _owner; // default while there is none
    private RecordOrigin _expected; // whom the directory has named
    private byte[]? _state;
    private OwnedRoom? _owned;
    private TaskCompletionSource? _handedOver;
    private bool _isSynced; // the seats are complete
    private bool _isAcquiring;
    private int _looks;
    private int _isLookQueued;

    internal RoomReplica(RoomCluster cluster, long roomId, Func<OwnedRoom, Room> makeOwned)
    {
        _cluster = cluster;
        RoomId = roomId;
        _makeOwned = makeOwned;
        _sender = new ClusterSender(roomId);
        _present = new ReplicaSessions(cluster);
    }

    internal long RoomId { get; }

    private bool IsOwner => _life is { } life && _owner == life.Origin;

    public override void OnCreate() => _cluster.Add(this);

    public override void OnTick(in RoomTick tick)
    {
    }

    public override void OnEmpty()
    {
    }

    public override void OnDispose()
    {
        _cluster.Forget(this);
        _owned?.Lose();
        _owned = null;
        _handedOver?.TrySetResult();
        _joins.EndAll(EnterResult.Removed, "The room was removed.");
    }

    public override void Run(in RoomItem item)
    {
        RoomInvoker? invoker = item.Invoker?.Inner;
        if (invoker is null && item.Body is { } frame)
        {
            var from = (Session)item.First!;
            if (_present.Contains(from.Id))
            {
                Forward(ClusterEntryKind.Frame, from.Id, item.Header, frame.Array.AsSpan(0, frame.Written));
            }
        }
        else if (invoker is not null && invoker.TryEncode(in item, out byte[] body)
            && ((Connection)item.First!).Get<Session>() is { } sender && _present.Contains(sender.Id))
        {
            Forward(ClusterEntryKind.Packet, sender.Id, item.Header, body);
        }
        else
        {
            Room.RunItem(in item);
        }
    }

    public override void OnSessionChanged(Session session)
    {
        if (!session.HasEnded)
        {
            Hooks.OnSessionChanged(session);
        }
        else if (_present.Contains(session.Id))
        {
            Room.Drop(session);
            SendLeave(session.Id, LeaveReason.SessionEnded);
        }
    }

    public override void Dismiss(Session member) => Room.Drop(member);

    /// <summary>Makes a session a member, in the turn of the room at its owner. Thread-safe.</summary>
    internal async Task<(EnterResult Result, string? Reason)> JoinAsync(
        Session session, byte[] argument, string? password, CancellationToken cancellationToken)
    {
        if (argument.Length > _cluster.Options.MaxRecordBytes / 2)
        {
            throw new ArgumentException(
                $"The argument of the join has {argument.Length} bytes; at most {_cluster.Options.MaxRecordBytes / 2} fit into the "
                    + "cluster's log.",
                nameof(argument));
        }

        var join = new PendingJoin(session, argument, password);
        if (!await Room.PostAsync(static (Room room, PendingJoin join) => ((RoomReplica)room.Role!).Begin(join), join, cancellationToken)
            .ConfigureAwait(false))
        {
            return (EnterResult.Removed, null);
        }

        using var timeout = new CancellationTokenSource(_cluster.Options.AnswerTimeout, _cluster.Time);
        using var patience = CancellationTokenSource.CreateLinkedTokenSource(timeout.Token, cancellationToken);
        try
        {
            return await join.Answer.Task.WaitAsync(patience.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            await Room.PostAsync(
                static (Room room, PendingJoin join) => ((RoomReplica)room.Role!).GiveUp(join), join, CancellationToken.None)
                .ConfigureAwait(false);
            cancellationToken.ThrowIfCancellationRequested();
            return (EnterResult.Unavailable, "The room has no owner in the cluster at the moment.");
        }
    }

    /// <summary>Ends a membership at the member's request.</summary>
    internal bool Leave(Session session)
    {
        bool isMember = _present.Contains(session.Id);
        if (isMember)
        {
            Room.Drop(session);
            SendLeave(session.Id, LeaveReason.Left);
        }

        return isMember;
    }

    /// <summary>Gives the room up if this node owns it; completes when another node may take it over. Thread-safe.</summary>
    internal async Task HandOverAsync(CancellationToken cancellationToken)
    {
        var handedOver = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        if (await Room.PostAsync(
            static (Room room, TaskCompletionSource done) => ((RoomReplica)room.Role!).BeginHandOver(done), handedOver, cancellationToken)
            .ConfigureAwait(false))
        {
            await handedOver.Task.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Time has passed. Thread-safe.</summary>
    internal void Look(ClusterLife life)
    {
        if (Interlocked.Exchange(ref _isLookQueued, 1) == 0)
        {
            Enqueue(new ClusterEntry(life, ClusterEntryKind.Look, life.Origin, []));
        }
    }

    internal override RoomOutbox CreateOutbox(RoomMembership members, RoomServices services) => new(members, services);

    internal override void OnAttached(Session session) => _present.Add(session);

    internal override void OnTakenOut(Session session) => _present.Remove(session);

    internal override void OnMemberAway(Session session) => SendAbout(ClusterEntryKind.Away, session.Id, 0);

    internal override void OnMemberReturned(Session session, bool isRecovered) =>
        SendAbout(ClusterEntryKind.Return, session.Id, isRecovered ? (byte)1 : (byte)0);

    private protected override void OnDrained() => _sender.Flush();

    private protected override void OnOverflow() => LoseTrack();

    private protected override void Handle(in ClusterEntry entry)
    {
        if (entry.Kind == ClusterEntryKind.Begun && entry.Life != _life)
        {
            Begin(entry.Life);
        }

        if (entry.Life != _life)
        {
            return; // of a life that has ended
        }

        switch (entry.Kind)
        {
            case ClusterEntryKind.Fenced:
                OnFenced();
                break;
            case ClusterEntryKind.NodeDown:
                OnNodeDown(in entry);
                break;
            case ClusterEntryKind.Gap:
                LoseTrack();
                break;
            case ClusterEntryKind.Look:
                Volatile.Write(ref _isLookQueued, 0);
                OnLook();
                break;
            case ClusterEntryKind.Acquired:
                OnAcquired(entry.Origin);
                break;
            case ClusterEntryKind.Owner:
                OnOwner(entry.Origin);
                break;
            case ClusterEntryKind.Released when entry.Origin == _owner:
                OnReleased(entry.Origin);
                break;
            case ClusterEntryKind.Output when entry.Origin == _owner && _isSynced:
                Deliver(in entry);
                break;
            case ClusterEntryKind.Snapshot when entry.Origin == (_owner == default ? _expected : _owner):
                OnSnapshot(in entry);
                break;
            case >= ClusterEntryKind.Sync and <= ClusterEntryKind.Frame when IsOwner:
                _owned?.Enqueue(in entry);
                break;
        }
    }

    private void Begin(ClusterLife life)
    {
        _life = life;
        _sender.Begin(life);
        _seats.Clear();
        _down.Clear();
        _owner = _expected = default;
        _state = null;
        _isSynced = _isAcquiring = false;
        Volatile.Write(ref _isLookQueued, 0); // the look of the former life may be lost
        Acquire();
    }

    private void OnFenced()
    {
        _life = null;
        _sender.Begin(null);
        _owned?.Lose();
        _owned = null;
        _handedOver?.TrySetResult();
        _owner = default;
        _joins.EndAll(EnterResult.Unavailable, "The server has lost its place in the cluster.");
        foreach (Session session in _present.All)
        {
            Room.Drop(session);
            session.Connection.TellAndClose(CloseReason.NodeFenced);
        }
    }

    private void OnNodeDown(in ClusterEntry entry)
    {
        _down.Add(entry.Origin);
        _owned?.Enqueue(in entry);
        if (entry.Origin == _owner)
        {
            _owner = default;
            Acquire();
        }
    }

    /// <summary>Asks the directory for the room, unless the node stops or has asked already.</summary>
    private void Acquire()
    {
        if (_life is { } life && !_isAcquiring && !_cluster.IsStopping)
        {
            _isAcquiring = true;
            _ = Task.Run(() => _cluster.AcquireAsync(this, life));
        }
    }

    private void OnAcquired(RecordOrigin owner)
    {
        _isAcquiring = false;
        _expected = owner;
        if (_owner != default || owner == default)
        {
            return;
        }

        if (owner == _life!.Origin)
        {
            _sender.Send(ClusterEntryKind.Owner, []);
        }
        else if (!_isSynced)
        {
            _sender.Send(ClusterEntryKind.Sync, [0]);
        }
    }

    private void OnLook()
    {
        _looks++;
        if (_owner == default && _looks % LooksPerQuestion == 0)
        {
            Acquire();
        }
        else if (_owner != default && !_isSynced && _looks % LooksPerSync == 0)
        {
            _sender.Send(ClusterEntryKind.Sync, [1]); // the answer may be lost
        }

        if (_sender.HasOverflowed)
        {
            _sender.HasOverflowed = false;
            ClaimAgain();
        }
    }

    private void OnOwner(RecordOrigin origin)
    {
        if (_owner == origin || _down.Contains(origin))
        {
            return;
        }

        _owner = origin;
        _owned?.Lose();
        _owned = null;
        if (IsOwner)
        {
            _isSynced = true;
            RoomLog.RoomTakenOver(_cluster.Logger, RoomId, Room.Name, _seats.Count, _state?.Length ?? 0);
            _owned = new OwnedRoom(_cluster, _life!, RoomId, [.. _seats.Values], _state, [.. _down]);
            _makeOwned(_owned).Start();
        }

        ClaimAgain();
    }

    /// <summary>Tells a new owner, or one that may have missed it, what this node wants.</summary>
    private void ClaimAgain()
    {
        if (!_isSynced)
        {
            _sender.Send(ClusterEntryKind.Sync, [0]);
        }

        foreach (ClusterSeat seat in _seats.Values)
        {
            if (seat.Node == _life!.Origin && !_present.Contains(seat.SessionId))
            {
                SendLeave(seat.SessionId, LeaveReason.SessionEnded);
            }
        }

        foreach (PendingJoin join in _joins.All)
        {
            Send(join);
        }
    }

    /// <summary>Records are missing: the members of this node may have missed something, so the owner sends them its state.</summary>
    private void LoseTrack()
    {
        if (_isSynced && !IsOwner)
        {
            _isSynced = false;
            _sender.Send(ClusterEntryKind.Sync, [1]);
        }
        else if (_owned is { } owned)
        {
            owned.Resync();
        }
    }

    private void OnReleased(RecordOrigin origin)
    {
        _owner = default;
        if (origin == _life!.Origin)
        {
            _owned = null;
            TaskCompletionSource? handedOver = _handedOver;
            _handedOver = null;
            _ = Task.Run(async () =>
            {
                await _cluster.ReleaseAsync(RoomId).ConfigureAwait(false);
                handedOver?.TrySetResult();
            });
        }
        else
        {
            Acquire();
        }
    }

    private void BeginHandOver(TaskCompletionSource done)
    {
        if (_owned is not { } owned)
        {
            done.TrySetResult();
            return;
        }

        _handedOver = done;
        owned.Release();
    }

    private void OnSnapshot(in ClusterEntry entry)
    {
        if (!_snapshot.TryRead(entry.Body, out ClusterSeat[] seats, out byte[]? state))
        {
            return;
        }

        _owner = entry.Origin;
        _isSynced = true;
        _state = state ?? _state;
        _seats.Clear();
        foreach (ClusterSeat seat in seats)
        {
            Seat(seat);
            if (_present.Contains(seat.SessionId))
            {
                _joins.End(seat.SessionId, EnterResult.Entered, null); // its answer was lost, if it still waits
            }
        }

        foreach (Session lost in _present.All.Where(session => !_seats.ContainsKey(session.Id)))
        {
            // The owner does not know it: it has taken the room over without its members. The client has to join again.
            Room.Drop(lost);
            lost.Connection.TellAndClose(CloseReason.NodeFenced);
        }
    }

    private void Deliver(in ClusterEntry entry)
    {
        using BinaryReader reader = entry.Read();
        while (reader.BaseStream.Position < reader.BaseStream.Length)
        {
            switch ((ClusterOutputKind)reader.ReadByte())
            {
                case ClusterOutputKind.ToAll:
                    _present.Broadcast(Room.Outbox, reader, except: null);
                    break;
                case ClusterOutputKind.ToOthers:
                    _present.Broadcast(Room.Outbox, reader, except: reader.ReadInt64());
                    break;
                case ClusterOutputKind.ToSome:
                    _present.SendTo(Room.Outbox, reader);
                    break;
                case ClusterOutputKind.Joined:
                    Seat(ClusterSeat.Read(reader));
                    break;
                case ClusterOutputKind.Answer:
                    _joins.End(reader.ReadInt64(), (EnterResult)reader.ReadByte(), reader.ReadString());
                    break;
                case ClusterOutputKind.Left:
                    Unseat(reader.ReadInt64());
                    break;
                case ClusterOutputKind.Close:
                    _present.Close(reader.ReadInt64(), (CloseReason)reader.ReadInt32());
                    break;
                case ClusterOutputKind.Removed:
                    _joins.EndAll(EnterResult.Removed, null);
                    Hooks.Remove();
                    return;
                default:
                    return; // of a newer version
            }
        }
    }

    private void Seat(ClusterSeat seat)
    {
        _seats[seat.SessionId] = seat;
        if (seat.Node != _life!.Origin || _present.Contains(seat.SessionId))
        {
            return;
        }

        if (_joins.Find(seat.SessionId) is not { Session.HasEnded: false } join)
        {
            SendLeave(seat.SessionId, LeaveReason.SessionEnded); // it has given up
            _joins.End(seat.SessionId, EnterResult.SessionEnded, "");
        }
        else if (Room.Attach(join.Session) is var result && result != EnterResult.Entered)
        {
            SendLeave(seat.SessionId, LeaveReason.Expelled);
            _joins.End(seat.SessionId, result, "");
        }
    }

    private void Unseat(long sessionId)
    {
        _seats.Remove(sessionId);
        if (_present.Find(sessionId) is { } session)
        {
            Room.Drop(session);
        }
    }

    private void Begin(PendingJoin join)
    {
        if (_present.Contains(join.Session.Id) || !_joins.TryAdd(join))
        {
            join.Answer.TrySetResult((EnterResult.AlreadyMember, null));
            return;
        }

        if (_owner != default)
        {
            Send(join);
        }
    }

    private void GiveUp(PendingJoin join)
    {
        if (_joins.Remove(join) && !_present.Contains(join.Session.Id) && _owner != default)
        {
            SendLeave(join.Session.Id, LeaveReason.SessionEnded); // the owner may have let it in, or may yet
        }
    }

    private void Send(PendingJoin join)
    {
        Send(ClusterEntryKind.Join, join, static (writer, join) =>
        {
            new ClusterSeat(join.Session.Id, default, join.Session.User, join.Argument).Write(writer);
            writer.Write(join.Password is not null);
            writer.Write(join.Password ?? "");
        });
    }

    private void SendLeave(long sessionId, LeaveReason reason) => SendAbout(ClusterEntryKind.Leave, sessionId, (byte)reason);

    private void SendAbout(ClusterEntryKind kind, long sessionId, byte what) => Send(kind, (sessionId, what), static (writer, state) =>
    {
        writer.Write(state.sessionId);
        writer.Write(state.what);
    });

    private void Forward(ClusterEntryKind kind, long sessionId, FrameHeader header, ReadOnlySpan<byte> body)
    {
        const int overhead = 64;
        if (body.Length > _cluster.Options.MaxRecordBytes - overhead)
        {
            RoomLog.PacketTooLarge(_cluster.Logger, RoomId, Room.Name, body.Length, _cluster.Options.MaxRecordBytes - overhead);
            return;
        }

        var record = new MemoryStream(body.Length + overhead);
        using var writer = new BinaryWriter(record);
        writer.Write(sessionId);
        ClusterOutbox.WriteFrame(writer, header, Delivery.Reliable, body);
        _sender.Send(kind, record.ToArray());
    }

    private void Send<TState>(ClusterEntryKind kind, TState state, Action<BinaryWriter, TState> write)
    {
        var record = new MemoryStream();
        using var writer = new BinaryWriter(record);
        write(writer, state);
        _sender.Send(kind, record.ToArray());
    }
}
