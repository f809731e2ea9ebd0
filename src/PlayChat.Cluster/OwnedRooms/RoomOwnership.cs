namespace PlayChat.Cluster.OwnedRooms;

/// <summary>Which node owns a room, and the room itself while that is this node.</summary>
/// <remarks>
/// Invariant: <c>_owner</c> is the owner by the log, so it is the same on all nodes at the same place of the log; <c>_named</c> is the
/// owner by the directory. <see cref="Owned"/> is set only while this node is the owner by the log, and <c>_tenure</c> from its claim on.
/// Only the room's turn uses the class.
/// </remarks>
internal sealed class RoomOwnership(RoomCluster cluster, RoomReplica replica, Func<RoomRole, Room> makeOwned)
{
    // How often a replica without the state asks the directory while the room has no owner. One with the state asks at each look.
    private const int LooksPerQuestion = 10;
    private const int LooksAfterFault = 100; // for which the node leaves the room to others
    private const int LooksForPlacement = 20; // before the first question

    private readonly HashSet<RecordOrigin> _down = [];
    private NodeLife? _life;
    private RecordOrigin _owner; // default while there is none
    private RecordOrigin _named;
    private RecordOrigin _ender; // has ended the room while there was no owner here, and no snapshot has shown that it runs again
    private RoomTenure? _tenure; // of this replica
    private Task _asking = Task.CompletedTask;
    private bool _isAsking; // until the answer is handled
    private bool _mayBeNamed; // by a question whose answer was lost or is to come, or by the last answer
    private bool _hasAskedWithState; // so the directory may have made this node the owner because it had the state
    private int _looks; // since there is no owner
    private int _pause; // looks until the node asks for the room again

    internal bool IsKnown => _owner != default;

    /// <summary>Whether the log has accepted the claim of this replica.</summary>
    internal bool MayRun => _owner == _life?.Origin && _tenure is { IsReleasing: false };

    /// <summary>The room, while this node runs it.</summary>
    internal OwnedRoom? Owned { get; private set; }

    /// <summary>Whether records that say what the room does count if they are of this node.</summary>
    internal bool IsOwner(RecordOrigin node) => _owner == node;

    internal void Begin(NodeLife life)
    {
        _life = life;
        _down.Clear();
        _owner = _named = _ender = default;
        _isAsking = _mayBeNamed = false;
        _pause = 0;
        _looks = 0;
    }

    /// <summary>Asks the directory for the room, unless the node stops, has asked already, or has not yet given it up.</summary>
    internal void Ask()
    {
        if (_life is { } life && !_isAsking && _pause == 0 && !cluster.IsStopping
            && (_tenure is not null || !cluster.Tenures.Has(replica.RoomId)))
        {
            bool hasState = replica.HasState;
            _hasAskedWithState = hasState || (_tenure is not null && _hasAskedWithState);
            _isAsking = _mayBeNamed = true;
            _asking = Task.Run(() => cluster.AcquireAsync(replica, life, hasState));
            _tenure?.OnAsked(_asking);
        }
    }

    /// <summary>Waits for the node on which the room is placed, as if the directory had named it: for 3 seconds, or until it is
    /// dead.</summary>
    internal void WaitFor(RecordOrigin node)
    {
        _named = node;
        _pause = LooksForPlacement;
    }

    /// <summary>The node has lost its place in the cluster.</summary>
    internal void End()
    {
        _life = null;
        _owner = default;
        Lose();
    }

    /// <summary>The replica ends while its node stays in the cluster: another node takes the room over.</summary>
    internal void GiveUp()
    {
        if (Owned is { } owned)
        {
            owned.Release(leavesNode: true);
            Owned = null;
        }
        else
        {
            ReleaseClaim();
        }
    }

    /// <summary>Looks for an owner, if there is none.</summary>
    internal void Look()
    {
        if (_pause > 0)
        {
            _pause--;
        }
        else if (!IsKnown && (++_looks % LooksPerQuestion == 0 || replica.HasState))
        {
            Ask();
        }
    }

    /// <summary>The directory has named the owner, or has not answered.</summary>
    /// <param name="owner">Default while there is none, and without an answer.</param>
    /// <param name="isAnswer">Whether it has answered.</param>
    internal void SetNamed(RecordOrigin owner, bool isAnswer)
    {
        _isAsking = false;
        _mayBeNamed = !isAnswer || owner == _life?.Origin;
        _named = owner;
    }

    /// <summary>A node has ended the room.</summary>
    /// <returns>Whether that counts now. If this node does not know the owner and waits for the directory's answer,
    /// <see cref="HasEnded"/> tells it then.</returns>
    internal bool TryEnd(RecordOrigin node)
    {
        if (IsKnown)
        {
            return _owner == node;
        }

        _ender = node;
        return HasEnded;
    }

    /// <summary>Whether the room has ended while this node did not know the owner: a node has ended it, and the directory names that node,
    /// or this one, which has the room after it.</summary>
    internal bool HasEnded => !IsKnown && _ender != default && (_named == _ender || _named == _life?.Origin);

    /// <summary>Whether the directory has named this node, and the log does not know that yet.</summary>
    internal bool MayClaim => !IsKnown && !cluster.IsStopping && _named == _life?.Origin;

    /// <summary>Tells all nodes that this one is the owner.</summary>
    internal void Claim()
    {
        _tenure ??= cluster.Tenures.TryBegin(_life!, replica.RoomId, _asking);
        if (_tenure is { Sender: { HasUnsent: false } sender })
        {
            sender.Send(ClusterEntryKind.Owner, []);
        }
    }

    /// <summary>Whether a snapshot of this node counts: that of the owner, or of the one that the directory has named.</summary>
    internal bool IsOwnerOrNamed(RecordOrigin node) => node == (IsKnown ? _owner : _named);

    /// <summary>A snapshot has shown the owner.</summary>
    internal void SetOwner(RecordOrigin owner)
    {
        _owner = owner;
        _ender = default;
        _pause = 0;
    }

    /// <summary>The log names another owner.</summary>
    /// <returns>Whether that counts.</returns>
    internal bool TrySetOwner(RecordOrigin owner)
    {
        bool isOwn = owner == _life!.Origin;
        if (_down.Contains(owner) || (isOwn && _tenure is null)) // the claim of a tenure that has ended
        {
            return false;
        }

        _owner = owner;
        if (!isOwn)
        {
            _pause = 0; // it may be this node's turn again when that one ends
            Lose();
        }

        return true;
    }

    /// <summary>Runs the room on this node, from what the replica knows, or gives the claim up.</summary>
    /// <param name="seats">The members.</param>
    /// <param name="state">The state; <see langword="null"/> if there is none.</param>
    /// <param name="hasHadJoins">Whether a session of this node has wanted to join.</param>
    /// <returns>Whether this node runs the room.</returns>
    internal bool TryRun(IReadOnlyList<ClusterSeat> seats, byte[]? state, bool hasHadJoins)
    {
        if (_hasAskedWithState && !replica.HasState)
        {
            ReleaseClaim(); // the node has missed records since then, so another one may have a newer state
            return false;
        }

        SharedRoomLog.RoomTakenOver(cluster.Logger, replica.RoomId, replica.Room.Name, seats.Count, state?.Length ?? 0);
        // The former owner may have ended before it read of a death.
        IEnumerable<RecordOrigin> dead = seats.Select(static seat => seat.Node).Where(_life!.WasDead);
        var owned = new OwnedRoom(cluster, _tenure!, seats, state, [.. _down.Union(dead)], hasHadJoins);
        try
        {
            makeOwned(owned);
        }
        catch (Exception e)
        {
            // The application's code. The members stay, and the joins wait for another owner.
            SharedRoomLog.RoomNotMade(cluster.Logger, e, replica.RoomId, replica.Room.Name);
            _pause = LooksAfterFault;
            ReleaseClaim();
            return false;
        }

        Owned = owned;
        owned.Room.Start();
        if (cluster.IsStopping)
        {
            HandOver();
        }

        return true;
    }

    /// <summary>Forgets the owner, and asks the directory for it.</summary>
    internal void LookForAnother()
    {
        _owner = _named = default;
        _looks = 0;
        Ask();
    }

    internal void OnNodeDown(in ClusterEntry entry)
    {
        _down.Add(entry.Origin);
        Owned?.Enqueue(in entry);
        if (entry.Origin == _owner || (!IsKnown && entry.Origin == _named))
        {
            _pause = 0;
            LookForAnother();
        }
    }

    internal void OnReleased(RecordOrigin owner)
    {
        if (owner != _life!.Origin)
        {
            LookForAnother();
        }
        else if (_tenure is not { IsReleasing: false })
        {
            _owner = _named = default;
            _mayBeNamed = false;
            Owned = null;
            _tenure = null;
        }
    }

    /// <summary>Gives the room up if this node owns it.</summary>
    internal void HandOver()
    {
        if (Owned is { } owned)
        {
            owned.Release(leavesNode: false);
        }
        else
        {
            ReleaseClaim();
        }
    }

    private void Lose()
    {
        Owned?.Lose();
        Owned = null;
        _tenure?.Lose();
        _tenure = null;
    }

    /// <summary>Gives the room up before it runs, if this node has claimed it or may have to.</summary>
    private void ReleaseClaim()
    {
        // The directory may have made this node the owner, and the log may say so already.
        if (_tenure is null && _life is { } life && _mayBeNamed)
        {
            _tenure = cluster.Tenures.TryBegin(life, replica.RoomId, _asking);
        }

        _tenure?.SendReleased();
        _tenure?.Release(isOver: !_hasAskedWithState || replica.IsRemoved); // nothing to continue
        _tenure = null;
        _mayBeNamed = false;
    }
}
