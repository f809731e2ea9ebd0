using PlayChat.Core.Cluster;
using PlayChat.Core.Rooms;

namespace PlayChat.Core.SharedRooms;

/// <summary>Which node owns a room, and the room itself while that is this node.</summary>
/// <remarks>
/// Invariant: <c>_owner</c> is the owner by the log, so it is the same on all nodes at the same place of the log; <c>_named</c> is the
/// owner by the directory. <c>_owned</c> is set only while this node is the owner by the log. Only the room's turn uses the class.
/// </remarks>
internal sealed class RoomOwnership(RoomCluster cluster, RoomReplica replica, Func<RoomRole, Room> makeOwned)
{
    // How often a room without an owner asks the directory. A replica that has no state leaves the room to one that has.
    private const int LooksPerQuestion = 1;
    private const int LooksPerQuestionWithoutState = 10;

    private readonly HashSet<RecordOrigin> _down = [];
    private ClusterLife? _life;
    private RecordOrigin _owner; // default while there is none
    private RecordOrigin _named;
    private OwnedRoom? _owned;
    private TaskCompletionSource? _handedOver;
    private bool _isAsking;
    private int _looks; // since there is no owner

    /// <summary>Whether the room has an owner.</summary>
    internal bool IsKnown => _owner != default;

    /// <summary>Whether this node is the owner.</summary>
    internal bool IsOurs => _life is { } life && _owner == life.Origin;

    /// <summary>The room, while this node runs it.</summary>
    internal OwnedRoom? Owned => _owned;

    /// <summary>Whether records that say what the room does count if they are of this node.</summary>
    internal bool IsOwner(RecordOrigin node) => _owner == node;

    /// <summary>Begins with another life of the node.</summary>
    internal void Begin(ClusterLife life)
    {
        _life = life;
        _down.Clear();
        _owner = _named = default;
        _isAsking = false;
        Ask();
    }

    /// <summary>The node has lost its place in the cluster.</summary>
    internal void End()
    {
        _life = null;
        _owner = default;
        Lose();
        _handedOver?.TrySetResult();
        _handedOver = null;
    }

    /// <summary>The replica ends while its node stays in the cluster: another node takes the room over.</summary>
    internal void GiveUp()
    {
        _owned?.Release(leavesNode: true);
        _owned = null;
        _handedOver?.TrySetResult();
        _handedOver = null;
    }

    /// <summary>Looks for an owner, if there is none.</summary>
    /// <param name="hasState">Whether this node could continue the room.</param>
    internal void Look(bool hasState)
    {
        if (!IsKnown && ++_looks % (hasState ? LooksPerQuestion : LooksPerQuestionWithoutState) == 0)
        {
            Ask();
        }
    }

    /// <summary>The directory has named the owner; default if it did not answer.</summary>
    internal void SetNamed(RecordOrigin owner)
    {
        _isAsking = false;
        _named = owner;
    }

    /// <summary>Whether the directory has named this node, and the log does not know that yet.</summary>
    internal bool MayClaim => !IsKnown && !cluster.IsStopping && _named == _life?.Origin;

    /// <summary>Whether a snapshot of this node counts: that of the owner, or of the one that the directory has named.</summary>
    internal bool IsOwnerOrNamed(RecordOrigin node) => node == (IsKnown ? _owner : _named);

    /// <summary>A snapshot has shown the owner.</summary>
    internal void SetOwner(RecordOrigin owner) => _owner = owner;

    /// <summary>The log names an owner.</summary>
    /// <returns>Whether that is new.</returns>
    internal bool TrySetOwner(RecordOrigin owner)
    {
        if (_owner == owner || _down.Contains(owner))
        {
            return false;
        }

        _owner = owner;
        Lose();
        return true;
    }

    /// <summary>Runs the room on this node, from what the replica knows.</summary>
    internal void Run(IReadOnlyList<ClusterSeat> seats, byte[]? state)
    {
        _owned = new OwnedRoom(cluster, _life!, replica.RoomId, seats, state, [.. _down]);
        makeOwned(_owned).Start();
    }

    /// <summary>Forgets the owner, and asks the directory for it.</summary>
    internal void LookForAnother()
    {
        _owner = default;
        _looks = 0;
        Ask();
    }

    /// <summary>A log has declared a node dead.</summary>
    internal void OnNodeDown(in ClusterEntry entry)
    {
        _down.Add(entry.Origin);
        _owned?.Enqueue(in entry);
        if (entry.Origin == _owner)
        {
            LookForAnother();
        }
        else if (!IsKnown)
        {
            _looks = 0; // this node may have no state, and those that have ask now
        }
    }

    /// <summary>The owner has given the room up.</summary>
    internal void OnReleased(RecordOrigin owner)
    {
        if (owner != _life!.Origin)
        {
            LookForAnother();
            return;
        }

        // The directory lets others in only now, when the last state stands in the log before whatever a new owner publishes.
        _owner = default;
        _owned = null;
        TaskCompletionSource? handedOver = _handedOver;
        _handedOver = null;
        _ = Task.Run(async () =>
        {
            await cluster.ReleaseAsync(replica.RoomId).ConfigureAwait(false);
            handedOver?.TrySetResult();
        });
    }

    /// <summary>Gives the room up if this node owns it.</summary>
    /// <param name="done">Completed when another node may take the room over.</param>
    internal void BeginHandOver(TaskCompletionSource done)
    {
        if (_owned is not { } owned)
        {
            done.TrySetResult();
            return;
        }

        _handedOver = done;
        owned.Release(leavesNode: false);
    }

    /// <summary>Asks the directory for the room, unless the node stops or has asked already.</summary>
    private void Ask()
    {
        if (_life is { } life && !_isAsking && !cluster.IsStopping)
        {
            _isAsking = true;
            _ = Task.Run(() => cluster.AcquireAsync(replica, life));
        }
    }

    private void Lose()
    {
        _owned?.Lose();
        _owned = null;
    }
}
