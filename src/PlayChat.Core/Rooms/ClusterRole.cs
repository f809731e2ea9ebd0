using PlayChat.Core.Sessions;

namespace PlayChat.Core.Rooms;

/// <summary>What a room object is in a cluster: the replica of its node, or the room itself on its owner. It stands between the room's
/// turn and the room's hooks, so a room without a cluster has no part of it.</summary>
internal abstract class ClusterRole : IRoomHooks
{
    private const int EntriesPerDrain = 64; // then other work of the room has its turn

    private readonly System.Collections.Concurrent.ConcurrentQueue<ClusterEntry> _inbox = new();
    private long _inboxBytes;
    private int _isDrainPosted;
    private int _hasOverflowed;

    /// <summary>The room object. Set once, by its constructor.</summary>
    internal Room Room { get; set; } = null!;

    private protected IRoomHooks Hooks => Room;

    public abstract void OnCreate();

    public abstract void OnTick(in RoomTick tick);

    public abstract void OnEmpty();

    public abstract void OnDispose();

    public abstract void Run(in RoomItem item);

    public abstract void OnSessionChanged(Session session);

    public abstract void Dismiss(Session member);

    public void Remove() => Hooks.Remove();

    public virtual void OnEnded() => Hooks.OnEnded();

    /// <summary>Makes what the room sends through.</summary>
    internal abstract RoomOutbox CreateOutbox(RoomMembership members, RoomServices services);

    /// <summary>A session has become a member.</summary>
    internal virtual void OnAttached(Session session)
    {
    }

    /// <summary>A member has been taken out.</summary>
    internal virtual void OnTakenOut(Session session)
    {
    }

    /// <summary>A member of the replica is away.</summary>
    internal virtual void OnMemberAway(Session session)
    {
    }

    /// <summary>A member of the replica has resumed.</summary>
    internal virtual void OnMemberReturned(Session session, bool isRecovered)
    {
    }

    /// <summary>Queues an entry for the room's turn. Thread-safe; entries of one thread keep their order.</summary>
    internal void Enqueue(in ClusterEntry entry)
    {
        if (Interlocked.Add(ref _inboxBytes, entry.Body.Length + 64) > RoomCluster.MaxInboxBytes && entry.Kind < ClusterEntryKind.NodeDown)
        {
            // The room does not keep up. It continues from the owner's next snapshot.
            Interlocked.Add(ref _inboxBytes, -(entry.Body.Length + 64));
            Interlocked.Exchange(ref _hasOverflowed, 1);
        }
        else
        {
            _inbox.Enqueue(entry);
        }

        PostDrain();
    }

    /// <summary>Handles an entry in the room's turn.</summary>
    private protected abstract void Handle(in ClusterEntry entry);

    /// <summary>Entries were dropped.</summary>
    private protected abstract void OnOverflow();

    /// <summary>Called in the room's turn after some entries were handled.</summary>
    private protected abstract void OnDrained();

    private void PostDrain()
    {
        if (Interlocked.Exchange(ref _isDrainPosted, 1) == 0)
        {
            // It waits while the room's queue is full; a removed room needs no entries.
            _ = Room.PostAsync(static (Room _, ClusterRole role) => role.Drain(), this).AsTask();
        }
    }

    private void Drain()
    {
        Volatile.Write(ref _isDrainPosted, 0);
        for (int i = 0; i < EntriesPerDrain && _inbox.TryDequeue(out ClusterEntry entry); i++)
        {
            Interlocked.Add(ref _inboxBytes, -(entry.Body.Length + 64));
            Room.RunGuarded(static state => state.Role.Handle(in state.Entry), new Handling(this, entry));
        }

        if (!_inbox.IsEmpty)
        {
            PostDrain();
        }
        else if (Interlocked.Exchange(ref _hasOverflowed, 0) != 0)
        {
            OnOverflow();
        }

        OnDrained();
    }

    private readonly struct Handling(ClusterRole role, ClusterEntry entry)
    {
        public readonly ClusterRole Role = role;
        public readonly ClusterEntry Entry = entry;
    }
}
