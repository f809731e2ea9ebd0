using PlayChat.Cluster.Log;

namespace PlayChat.Chat.Cluster;

/// <summary>Reads the log of one shard, and hands each entry to the room's replica on this node, if there is one. Thread-safe.</summary>
/// <remarks>
/// A new replica gets its room's entries from the tail, and then every later entry. Both happen under one lock, so it misses none.
/// </remarks>
internal sealed class ShardFeed(ClusterLife life, ClusterSettings settings, TimeProvider time) : IShardHandler
{
    private const int LeasesToAnnounce = 3; // the one that announces may die as well, and another takes its place after a lease

    private readonly object _gate = new();
    private readonly TaskCompletionSource _marked = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private uint _epoch; // guarded by _gate
    private readonly Dictionary<long, LogOrder> _rooms = []; // guarded by _gate
    private readonly Queue<(RecordOrigin Node, long Since)> _dead = new(); // guarded by _gate: of which members may be left
    private readonly ShardTail _tail = new(settings.KeepReadBytes / settings.Shards, settings.KeepRead, time); // guarded by _gate

    /// <summary>Completes when the node has read a record of its own, so that it knows the log's present position.</summary>
    public Task Marked => _marked.Task;

    /// <summary>The replicas of its rooms.</summary>
    public LogOrder[] Rooms
    {
        get
        {
            lock (_gate)
            {
                return [.. _rooms.Values];
            }
        }
    }

    public LogOrder? Find(long roomId)
    {
        lock (_gate)
        {
            return _rooms.GetValueOrDefault(roomId);
        }
    }

    /// <summary>Makes the replica of a room, unless there is one.</summary>
    /// <param name="roomId">The room.</param>
    /// <param name="make">
    /// Makes it from the last sequence that this node has not read, the log's epoch, and the entries that it has read since. Returns
    /// <see langword="null"/> to give up.
    /// </param>
    /// <returns>The replica, and whether this call has made it.</returns>
    public (LogOrder? Room, bool IsNew) GetOrAdd(long roomId, Func<long, uint, RoomEntry[], LogOrder?> make)
    {
        lock (_gate)
        {
            if (_rooms.TryGetValue(roomId, out LogOrder? there))
            {
                return (there, false);
            }

            if (make(_tail.ReachesBackTo, _epoch, _tail.OfRoom(roomId)) is not { } made)
            {
                return (null, false);
            }

            _rooms[roomId] = made;
            return (made, true);
        }
    }

    /// <summary>Removes a replica that has ended.</summary>
    public void Remove(LogOrder room)
    {
        lock (_gate)
        {
            if (_rooms.GetValueOrDefault(room.RoomId) == room)
            {
                _rooms.Remove(room.RoomId);
            }
        }
    }

    /// <summary>The newest entries that a node has published, as far as this node has read them.</summary>
    public RoomEntry[] EntriesOf(RecordOrigin node)
    {
        lock (_gate)
        {
            return _tail.OfNode(node);
        }
    }

    public void OnRecord(in LogPosition position, RecordOrigin origin, in RoomRecord record)
    {
        if (!RoomEntryBody.TryDecode(record.Body.Span, out RoomEntryBody body))
        {
            return; // of a newer version: this node cannot show it
        }

        var entry = new RoomEntry(
            (RoomEntryKind)record.Kind,
            position,
            origin,
            record.RoomId,
            record.UserId,
            record.Token,
            body);
        lock (_gate)
        {
            _epoch = position.Epoch;
            _tail.Begin(entry.Sequence);
            bool isKept = entry.Kind is RoomEntryKind.Chat or RoomEntryKind.Joined or RoomEntryKind.Left or RoomEntryKind.Edited
                or RoomEntryKind.Reacted or RoomEntryKind.Unreacted or RoomEntryKind.Moderated;
            if (isKept)
            {
                _tail.Add(in position, origin, in record);
            }

            bool isOfNow = entry.Kind is RoomEntryKind.Typing or RoomEntryKind.Reported or RoomEntryKind.Read
                && _marked.Task.IsCompleted; // of this life
            if ((isKept || isOfNow)
                && _rooms.TryGetValue(entry.RoomId, out LogOrder? room))
            {
                room.Note(entry);
            }
        }

        Obey(entry);
    }

    public void OnGap(LogPosition wanted, LogPosition found, GapReason reason)
    {
        if (_marked.Task.IsCompleted)
        {
            life.NoteGap(wanted, found, reason); // before that it only says that the log is short
        }

        lock (_gate)
        {
            long through = RoomEntry.SequenceOf(found) - 1;
            _epoch = found.Epoch;
            _tail.Restart(through);
            foreach (LogOrder room in _rooms.Values)
            {
                room.NoteGap(through, found.Epoch);
            }

            life.ReloadRosters([.. _rooms.Values]);
        }
    }

    /// <summary>The node that declares it announces what has ended with it, as far as the directory knows.</summary>
    public void OnNodeDown(RecordOrigin origin)
    {
        lock (_gate)
        {
            _dead.Enqueue((origin, time.GetTimestamp()));
        }
    }

    /// <summary>Takes out the members whose leave a dead node had told the directory, and not the log.</summary>
    public void ForgetDead()
    {
        lock (_gate)
        {
            while (_dead.TryPeek(out (RecordOrigin Node, long Since) dead)
                && time.GetElapsedTime(dead.Since) > settings.Lease * LeasesToAnnounce)
            {
                _dead.Dequeue();
                foreach (LogOrder room in _rooms.Values)
                {
                    room.Forget(dead.Node);
                }
            }
        }
    }

    /// <summary>Does what an entry asks the node for, rather than a room.</summary>
    private void Obey(RoomEntry entry)
    {
        bool isForUs = entry.Body.Node == life.Origin;
        switch (entry.Kind)
        {
            case RoomEntryKind.Joined when !isForUs:
                life.Leaves.NoteMoved(entry.RoomId, entry.UserId);
                life.Players.TellEntered(entry);
                break;
            case RoomEntryKind.Mark when entry.Origin == life.Origin:
                _marked.TrySetResult();
                break;
            case RoomEntryKind.Kick when isForUs:
                life.Kick(entry.Body.SessionId);
                break;
            case RoomEntryKind.Continued when entry.Origin != life.Origin:
                life.EndContinued(entry.UserId, entry.Body.Text);
                break;
            case RoomEntryKind.Notice or RoomEntryKind.SessionNotice or RoomEntryKind.SessionClose or RoomEntryKind.DirectChat
                or RoomEntryKind.DirectSent or RoomEntryKind.Moderated
                when _marked.Task.IsCompleted: // not of the time before this life
                life.Players.Obey(entry);
                break;
        }
    }
}
