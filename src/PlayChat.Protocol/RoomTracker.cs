namespace PlayChat.Protocol;

/// <summary>The rooms that a client is in: their members, and the last sequence that it has seen.</summary>
/// <remarks>The receive loop writes and any thread reads: a lock keeps one room's figures together.</remarks>
internal sealed class RoomTracker(TimeProvider time)
{
    // Clients that saw the same restart are back by then; a player that comes later has been away.
    private static readonly TimeSpan s_returnTime = TimeSpan.FromMinutes(2);

    private readonly object _gate = new();
    private readonly Dictionary<long, TrackedRoom> _rooms = [];
    private long _missedMessages;

    /// <summary>Messages of all rooms that never came.</summary>
    public long MissedMessages => Interlocked.Read(ref _missedMessages);

    public void Enter(long roomId, string name, IEnumerable<Member> members, long latestSequence, uint epoch = 0)
    {
        lock (_gate)
        {
            _rooms[roomId] = new TrackedRoom(name, [.. members], latestSequence) { Epoch = epoch };
        }
    }

    /// <summary>The server has restarted: players that were members before will join again, within two minutes.</summary>
    public void ExpectReturns(long roomId, IEnumerable<Member> before)
    {
        lock (_gate)
        {
            if (_rooms.TryGetValue(roomId, out TrackedRoom? room))
            {
                room.ReturnsFrom = time.GetTimestamp();
                room.Returning.UnionWith(before.Select(static member => member.PlayerId));
                room.Returning.ExceptWith(room.Members.Select(static member => member.PlayerId));
            }
        }
    }

    /// <summary>Whether a player that joins returns after a restart of the server. Told once.</summary>
    public bool TakeReturn(long roomId, long playerId)
    {
        lock (_gate)
        {
            return _rooms.TryGetValue(roomId, out TrackedRoom? room)
                && room.Returning.Remove(playerId)
                && time.GetElapsedTime(room.ReturnsFrom) <= s_returnTime;
        }
    }

    public void Leave(long roomId)
    {
        lock (_gate)
        {
            _rooms.Remove(roomId);
        }
    }

    /// <returns>How many messages are missing before this one.</returns>
    public long SeeJoin(SJoinRoomNtf message) =>
        See(message.RoomId, message.Sequence, message.PreviousSequence, joined: message.Member, left: null);

    /// <inheritdoc cref="SeeJoin"/>
    public long SeeChat(SRoomChatNtf message) =>
        See(message.RoomId, message.Sequence, message.PreviousSequence, joined: null, message.Left, message.Changed);

    /// <inheritdoc cref="SeeJoin"/>
    public long SeeEdit(SMessageEditedNtf edit) => See(edit.RoomId, edit.Sequence, edit.PreviousSequence, joined: null, left: null);

    /// <summary>Takes over that a player has reacted to a message.</summary>
    /// <returns>How many messages are missing before it.</returns>
    public long SeeReaction(SReactionNtf reaction) =>
        See(reaction.RoomId, reaction.Sequence, reaction.PreviousSequence, joined: null, left: null);

    /// <summary>The room continues at a later sequence; the messages in between are reported as missed with the room's next
    /// message.</summary>
    public void SeeState(SRoomStateNtf state)
    {
        lock (_gate)
        {
            if (_rooms.TryGetValue(state.RoomId, out TrackedRoom? room))
            {
                room.Epoch = state.Epoch;
                Skip(room, room.CountMissing(state.LatestSequence));
                room.LatestSequence = state.LatestSequence;
                room.Members.Clear();
                room.Members.AddRange(state.Members);
            }
        }
    }

    /// <summary>Messages of a room will not come; they are reported as missed with the room's next message.</summary>
    public void Skip(long roomId, long missed)
    {
        lock (_gate)
        {
            if (_rooms.TryGetValue(roomId, out TrackedRoom? room))
            {
                Skip(room, missed);
            }
        }
    }

    /// <summary>The last sequence that the client has seen in each room.</summary>
    public List<RoomPlace> GetPlaces()
    {
        lock (_gate)
        {
            return [.. _rooms.Select(static room => new RoomPlace
            {
                RoomId = room.Key,
                LastSequence = room.Value.LatestSequence,
                Epoch = room.Value.Epoch,
            })];
        }
    }

    /// <summary>The server has said what became of each room.</summary>
    public List<RoomRecovery> Resume(IEnumerable<ResumedRoom> rooms)
    {
        List<RoomRecovery> recoveries = [];
        lock (_gate)
        {
            foreach (ResumedRoom resumed in rooms)
            {
                if (_rooms.TryGetValue(resumed.RoomId, out TrackedRoom? room))
                {
                    room.Epoch = resumed.Epoch;
                    long missed = resumed.Recovered ? resumed.MissedMessages : room.CountMissing(resumed.LatestSequence);
                    recoveries.Add(new RoomRecovery(
                        resumed.RoomId, room.Name, resumed.Member, resumed.Recovered, missed, room.LatestSequence, resumed.LatestSequence));
                    if (!resumed.Member)
                    {
                        _rooms.Remove(resumed.RoomId);
                    }
                }
            }
        }

        return recoveries;
    }

    public JoinedRoom? Find(long roomId)
    {
        lock (_gate)
        {
            return _rooms.TryGetValue(roomId, out TrackedRoom? room)
                ? new JoinedRoom(roomId, room.Name, [.. room.Members], room.LatestSequence, room.MissedMessages)
                {
                    Epoch = room.Epoch,
                }
                : null;
        }
    }

    private long See(long roomId, long sequence, long previousSequence, Member? joined, Member? left, Member? changed = null)
    {
        lock (_gate)
        {
            if (!_rooms.TryGetValue(roomId, out TrackedRoom? room))
            {
                return 0;
            }

            if (left is not null)
            {
                room.Returning.Remove(left.PlayerId);
                room.Members.RemoveAll(member => member.PlayerId == left.PlayerId);
            }

            if (changed is not null && room.Members.FindIndex(member => member.PlayerId == changed.PlayerId) is >= 0 and var place)
            {
                room.Members[place] = changed;
            }

            if (joined is not null)
            {
                room.Members.RemoveAll(member => member.PlayerId == joined.PlayerId);
                room.Members.Add(joined);
            }

            // A message that comes twice or late is no hole, and must not open one before the next.
            long missed = room.CountMissing(previousSequence);
            room.LatestSequence = Math.Max(room.LatestSequence, sequence);
            CountMissed(room, missed);
            missed += room.MissedBeforeNext;
            room.MissedBeforeNext = 0;
            return missed;
        }
    }

    private void Skip(TrackedRoom room, long missed)
    {
        CountMissed(room, missed);
        room.MissedBeforeNext += missed;
    }

    private void CountMissed(TrackedRoom room, long missed)
    {
        room.MissedMessages += missed;
        Interlocked.Add(ref _missedMessages, missed);
    }

    private sealed class TrackedRoom(string name, List<Member> members, long latestSequence)
    {
        public string Name { get; } = name;

        public List<Member> Members { get; } = members;

        public long LatestSequence { get; set; } = latestSequence;

        public long MissedMessages { get; set; }

        public long MissedBeforeNext { get; set; }

        /// <summary>Members before a restart of the server that have not joined again.</summary>
        public HashSet<long> Returning { get; } = [];

        /// <summary>When the client itself was back: a timestamp.</summary>
        public long ReturnsFrom { get; set; }

        public uint Epoch { get; set; } // 0 where sequences are dense

        /// <summary>How many messages are missing up to a sequence: at least, where sequences are not dense.</summary>
        public long CountMissing(long through) => Epoch == 0 ? Math.Max(0, through - LatestSequence) : through > LatestSequence ? 1 : 0;
    }
}
