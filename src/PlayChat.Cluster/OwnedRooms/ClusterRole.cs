namespace PlayChat.Cluster.OwnedRooms;

/// <summary>The common part of a room's objects in a cluster: entries of the log reach the room's turn in their order.</summary>
internal abstract class ClusterRole : RoomRole
{
    private const int EntriesPerDrain = 64; // then other work of the room has its turn
    private const int EntryOverhead = 64; // bytes in memory beside the body, roughly

    private readonly ConcurrentQueue<ClusterEntry> _inbox = new();
    private long _inboxBytes;
    private int _isDrainPosted;
    private int _hasOverflowed;

    /// <summary>Queues an entry for the room's turn. Thread-safe; entries of one thread keep their order.</summary>
    internal void Enqueue(in ClusterEntry entry)
    {
        int bytes = entry.Body.Length + EntryOverhead;
        if (Interlocked.Add(ref _inboxBytes, bytes) > RoomCluster.MaxInboxBytes && entry.Kind < ClusterEntryKind.NodeDown)
        {
            // The room does not keep up. It continues from the owner's next snapshot.
            Interlocked.Add(ref _inboxBytes, -bytes);
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

    private protected abstract void OnOverflow();

    /// <summary>Called in the room's turn after some entries were handled.</summary>
    private protected virtual void OnDrained()
    {
    }

    /// <summary>Lets the room take a turn. Thread-safe.</summary>
    private protected void PostDrain()
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
            Interlocked.Add(ref _inboxBytes, -(entry.Body.Length + EntryOverhead));
            Room.RunGuarded(static state => state.Role.Handle(in state.Entry), (Role: this, Entry: entry));
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
}
