namespace PlayChat.Cluster.OwnedRooms;

/// <summary>A room of a cluster as one node has it: the sessions of this node that are members. It hands to the room's owner what they
/// send, and delivers what the owner sends.</summary>
/// <remarks>
/// <para>Invariant: while <c>_isSynced</c>, <c>_members</c> is complete and <c>_state</c> is what the owner has published last. Records of
/// the owner alone count. Only the room's turn uses the class, except what says otherwise.</para>
/// <para>On the node that owns the room there is a second object of the room's class, which an <see cref="OwnedRoom"/> runs.</para>
/// </remarks>
internal sealed class RoomReplica : ClusterRole, IRoomReplica
{
    private const int LooksPerSync = 20; // how often a replica that has missed records asks the owner

    private readonly RoomCluster _cluster;
    private string? _node; // that is to run the room first, until this node has waited for it
    private readonly RoomOwnership _ownership;
    private readonly ClusterSender _sender;
    private readonly ReplicaRequests _requests;
    private readonly ReplicaMembers _members;
    private readonly SnapshotReader _snapshot = new();
    private NodeLife? _life;
    private byte[]? _state;
    private bool _isSynced;
    private bool _isNew; // placed on a node from which no record has come since then
    private bool _hasMissed; // records, so that members of this node may have missed something
    private bool _hasHadJoins; // of this node
    private int _looks;
    private int _isLookQueued;
    private volatile bool _isWaiting; // for an owner, or for its snapshot

    internal RoomReplica(RoomCluster cluster, long roomId, string? node, Func<RoomRole, Room> makeOwned)
    {
        _cluster = cluster;
        _node = node;
        RoomId = roomId;
        _sender = new ClusterSender(cluster, roomId);
        _ownership = new RoomOwnership(cluster, this, makeOwned);
        _requests = new ReplicaRequests(_sender);
        _members = new ReplicaMembers(cluster, this, _requests);
    }

    internal override Room? Runner => _ownership.Owned?.Room;

    internal long RoomId { get; }

    /// <summary>Whether this node could continue the room from its last state, or begin it because it has not run yet. Only the room's turn
    /// reads it.</summary>
    internal bool HasState => _life is not null && (_isSynced || _isNew);

    /// <summary>Whether the owner has ended the room, so that no node continues it. Only the room's turn reads it.</summary>
    internal bool IsRemoved { get; private set; }

    /// <summary>Whether <see cref="Look"/> has something to do; an idle room takes no turns. Thread-safe.</summary>
    internal bool NeedsLook => _isWaiting || _sender.HasOverflowed;

    public override void OnCreate() => _cluster.Add(this);

    public override void OnTick(in RoomTick tick)
    {
    }

    public override void OnEmpty()
    {
    }

    public override void OnTurnEnd()
    {
    }

    public override void OnDispose()
    {
        _cluster.Forget(this);
        _ownership.GiveUp();
        if (!IsRemoved && !_cluster.IsStopping)
        {
            foreach (PendingJoin join in _members.Joins.All)
            {
                _requests.Leave(join.Session.Id, join.Number, LeaveReason.RoomRemoved); // the owner may have let it in, or may yet
            }
        }

        _members.Joins.EndAll(JoinStatus.Removed, "The room was removed.");
    }

    public override void Remove()
    {
        // The turn calls it when no member of this node is left. Whether the room is empty, its owner decides.
    }

    public override void Run(in RoomItem item)
    {
        RoomInvoker? invoker = item.Invoker?.Inner;
        if (invoker is null && item.Body is { } frame)
        {
            Forward(ClusterEntryKind.Frame, (Session)item.First!, item.Header, frame.Array.AsSpan(0, frame.Written));
        }
        else if (invoker is not null && invoker.TryEncode(in item, out byte[] body)
            && ((Connection)item.First!).Get<Session>() is { } sender && _members.Present.Contains(sender.Id))
        {
            Forward(ClusterEntryKind.Packet, sender, item.Header, body);
        }
        else
        {
            Hooks.Run(in item);
        }
    }

    public override void OnSessionChanged(Session session)
    {
        if (!session.HasEnded)
        {
            Hooks.OnSessionChanged(session);
        }
        else if (_members.Present.Contains(session.Id))
        {
            _members.Leave(session, LeaveReason.SessionEnded);
        }
    }

    public override void TakeOut(Session member)
    {
        if (IsRemoved)
        {
            Room.Unseat(member);
        }
        else
        {
            _members.Leave(member, LeaveReason.RoomRemoved); // only this node has removed the room
        }
    }

    public async Task<(JoinStatus Status, string? Reason)> JoinAsync(
        Session session, byte[] argument, string? password, CancellationToken cancellationToken)
    {
        if (argument.Length > _cluster.Options.MaxRecordBytes / 2)
        {
            throw new ArgumentException(
                $"The argument of the join has {argument.Length} bytes; at most {_cluster.Options.MaxRecordBytes / 2} fit into the "
                    + "cluster's log.",
                nameof(argument));
        }

        var join = new PendingJoin(_cluster.NextJoin(), session, argument, password);
        if (!await Room.PostAsync(static (Room room, PendingJoin join) => ((RoomReplica)room.Role!).Begin(join), join, cancellationToken)
            .ConfigureAwait(false))
        {
            return (JoinStatus.Removed, null);
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
                static (Room room, PendingJoin join) => ((RoomReplica)room.Role!)._members.GiveUp(join), join, CancellationToken.None)
                .ConfigureAwait(false);
            cancellationToken.ThrowIfCancellationRequested();
            return (JoinStatus.Unavailable, "The room has no owner in the cluster at the moment.");
        }
    }

    public bool Leave(Session session)
    {
        bool isMember = _members.Present.Contains(session.Id);
        if (isMember)
        {
            _members.Leave(session, LeaveReason.Left);
        }

        return isMember;
    }

    /// <summary>Gives the room up if this node owns it; completes when that has begun. Thread-safe.</summary>
    internal async Task HandOverAsync(CancellationToken cancellationToken)
    {
        var begun = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        if (await Room.PostAsync(
            static (Room room, TaskCompletionSource begun) =>
            {
                ((RoomReplica)room.Role!)._ownership.HandOver();
                begun.SetResult();
            },
            begun,
            cancellationToken).ConfigureAwait(false))
        {
            await begun.Task.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Time has passed. Thread-safe.</summary>
    internal void Look(NodeLife life)
    {
        if (Interlocked.Exchange(ref _isLookQueued, 1) == 0)
        {
            Enqueue(new ClusterEntry(life, ClusterEntryKind.Look, life.Origin, []));
        }
    }

    internal override void Transfer(ReadOnlySpan<Session> sessions, ReadOnlySpan<byte> state, string? node) =>
        throw new InvalidOperationException("A node's replica of a room has no members to transfer; the room runs on its owner.");

    internal override void OnSeated(Session session) => _members.Present.Add(session);

    internal override void OnUnseated(Session session) => _members.Present.Remove(session);

    internal override void OnMemberAway(Session session) => _requests.Away(session.Id);

    internal override void OnMemberReturned(Session session, bool isRecovered) => _requests.Return(session.Id, isRecovered && !_hasMissed);

    private protected override void OnDrained() => _isWaiting = _life is not null && !(_ownership.IsKnown && _isSynced);

    private protected override void OnOverflow() => OnMissed();

    private protected override void Handle(in ClusterEntry entry)
    {
        if (entry.Kind == ClusterEntryKind.Begun && entry.Life != _life)
        {
            Begin(entry.Life);
        }

        if (entry.Life != _life || IsRemoved)
        {
            return; // of a life that has ended, or of a room that has
        }

        _isNew &= entry.Kind is not (ClusterEntryKind.Output or ClusterEntryKind.Snapshot);
        switch (entry.Kind)
        {
            case ClusterEntryKind.Fenced:
                OnFenced();
                break;
            case ClusterEntryKind.NodeDown:
                _ownership.OnNodeDown(in entry);
                break;
            case ClusterEntryKind.Gap:
                OnMissed();
                break;
            case ClusterEntryKind.Look:
                Volatile.Write(ref _isLookQueued, 0);
                OnLook();
                break;
            case ClusterEntryKind.Named or ClusterEntryKind.Unanswered:
                OnNamed(entry.Origin, isAnswer: entry.Kind == ClusterEntryKind.Named);
                break;
            case ClusterEntryKind.Owner:
                OnOwner(entry.Origin);
                break;
            case ClusterEntryKind.Released or ClusterEntryKind.HandOver when _ownership.IsOwner(entry.Origin):
                _ownership.OnReleased(entry.Origin);
                break;
            case ClusterEntryKind.Output when entry.Body is [(byte)ClusterOutputKind.Removed]:
                if (_ownership.TryEnd(entry.Origin))
                {
                    End();
                }

                break;
            case ClusterEntryKind.Output when _ownership.IsOwner(entry.Origin) && _isSynced:
                using (BinaryReader reader = entry.Read())
                {
                    _members.Deliver(reader);
                }

                break;
            case ClusterEntryKind.Snapshot when _ownership.IsOwnerOrNamed(entry.Origin):
                OnSnapshot(in entry);
                break;
            case >= ClusterEntryKind.Sync and <= ClusterEntryKind.Frame:
                _ownership.Owned?.Enqueue(in entry);
                break;
        }
    }

    private void Begin(NodeLife life)
    {
        _life = life;
        _sender.Begin(life);
        _members.Begin(life.Origin);
        _state = null;
        _isSynced = false;
        _isNew = false;
        _hasMissed = false;
        Volatile.Write(ref _isLookQueued, 0); // the look of the former life may be lost
        _ownership.Begin(life);
        if (_node is not null && _cluster.Loads.Find(_node) is { } other && other != life.Origin)
        {
            _isNew = true;
            _ownership.WaitFor(other);
            _requests.Sync(hasMissed: false); // it may run the room already
        }
        else
        {
            _ownership.Ask();
        }

        _node = null;
    }

    private void OnFenced()
    {
        _life = null;
        _sender.Begin(null);
        _ownership.End();
        _members.Joins.EndAll(JoinStatus.Unavailable, "The server has lost its place in the cluster.");
        _members.CloseAll();
    }

    private void OnLook()
    {
        _ownership.Look();
        if (_ownership.IsKnown && !_isSynced && ++_looks % LooksPerSync == 0)
        {
            _requests.Sync(_hasMissed); // the answer may be lost
        }

        if (_sender.TakeOverflow())
        {
            AskAgain();
        }
    }

    private void OnNamed(RecordOrigin owner, bool isAnswer)
    {
        _ownership.SetNamed(owner, isAnswer);
        if (_ownership.HasEnded)
        {
            End();
        }
        else if (_ownership.MayClaim)
        {
            _ownership.Claim();
        }
        else if (!_ownership.IsKnown && owner != default && !_isSynced)
        {
            _requests.Sync(_hasMissed);
        }
    }

    private void OnOwner(RecordOrigin owner)
    {
        if (_ownership.IsOwner(owner))
        {
            AskAgain(); // the owner claims the room again, so it has not run it, and has dropped what it was asked
            return;
        }

        if (!_ownership.TrySetOwner(owner))
        {
            return;
        }

        if (_ownership.MayRun)
        {
            _isSynced |= _ownership.TryRun(_members.Seats, _state, _hasHadJoins);
        }

        AskAgain();
    }

    /// <summary>Tells a new owner, or an owner that may have missed it, what this node wants.</summary>
    private void AskAgain()
    {
        if (!_isSynced)
        {
            _requests.Sync(_hasMissed);
        }

        _members.AskAgain();
    }

    /// <summary>Records are missing: the members of this node may have missed something, so the owner sends them its state.</summary>
    private void OnMissed()
    {
        _isNew = false;
        _snapshot.Reset();
        if (_ownership.Owned is { } owned)
        {
            owned.Resync();
        }
        else
        {
            _isSynced = false;
            _hasMissed = true;
            _ownership.LookForAnother(); // another node may have taken the room over meanwhile
        }
    }

    private void OnSnapshot(in ClusterEntry entry)
    {
        if (!_snapshot.TryRead(entry.Origin, entry.Body, out ClusterSeat[] seats, out byte[]? state))
        {
            return;
        }

        bool isOwnerNew = !_ownership.IsKnown;
        _ownership.SetOwner(entry.Origin);
        _isSynced = true;
        _hasMissed = false;
        _state = state;
        _members.Replace(seats);
        if (state is not null)
        {
            Room.RunGuarded(static to => to.Room.Restore(to.state, isOwned: false), (Room, state));
        }

        if (isOwnerNew)
        {
            AskAgain();
        }
    }

    private void End()
    {
        IsRemoved = true;
        Hooks.Remove();
    }

    private void Begin(PendingJoin join)
    {
        _hasHadJoins = true;
        if (_members.Present.Contains(join.Session.Id) || !_members.Joins.TryAdd(join))
        {
            join.Answer.TrySetResult((JoinStatus.AlreadyMember, null));
        }
        else if (_ownership.IsKnown)
        {
            _requests.Join(join);
        }
    }

    private void Forward(ClusterEntryKind kind, Session from, FrameHeader header, ReadOnlySpan<byte> body)
    {
        if (_cluster.HasPlaceFor(body.Length, Room) && _members.Present.Contains(from.Id))
        {
            _requests.Forward(kind, from.Id, header, body);
        }
    }
}
