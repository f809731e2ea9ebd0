namespace PlayChat.Cluster.Directory;

/// <summary>The tables behind one or several <see cref="LocalDirectory"/> objects: the nodes that share a store form one cluster inside the
/// process. Thread-safe.</summary>
/// <remarks>Expired nodes keep their rows until a sweep moves them to the lost nodes, as in a database.</remarks>
public sealed class LocalDirectoryStore
{
    private readonly object _gate = new();
    private readonly TimeProvider _time;
    private readonly TimeSpan _lease;
    private readonly Dictionary<int, Node> _nodes = [];
    private readonly Dictionary<RecordOrigin, Loss> _lost = [];
    private readonly Dictionary<long, Dictionary<long, ClusterMember[]>> _rooms = []; // by room and user id
    private readonly Dictionary<long, SessionPlace[]> _sessions = []; // by user id, the oldest first
    private readonly Dictionary<long, RecordOrigin> _owners = []; // by room id
    private readonly Dictionary<long, long> _orphans = []; // room ids to the time stamp until which they wait for a node with the state
    private long _lastIncarnation;

    /// <summary>Creates empty tables.</summary>
    /// <param name="lease">How long a node lives without renewing, more than zero; 10 seconds by default. A process that has one node can
    /// pass <see cref="Timeout.InfiniteTimeSpan"/>.</param>
    /// <param name="time">The clock of the leases; the system's by default.</param>
    public LocalDirectoryStore(TimeSpan? lease = null, TimeProvider? time = null)
    {
        _lease = lease ?? TimeSpan.FromSeconds(10);
        if (_lease <= TimeSpan.Zero && _lease != Timeout.InfiniteTimeSpan)
        {
            throw new ArgumentOutOfRangeException(nameof(lease), lease, "A lease is longer than zero.");
        }

        _time = time ?? TimeProvider.System;
    }

    internal NodeLease Register(int nodeId, string endpoint, string version, RecordOrigin? own)
    {
        lock (_gate)
        {
            if (_nodes.TryGetValue(nodeId, out Node? former))
            {
                long now = _time.GetTimestamp();
                if (former.Info.Origin != own && FreeAfter(former, now) is var left && left != TimeSpan.Zero)
                {
                    throw new NodeIdInUseException(former.Info, left);
                }

                // Its members have as long to resume as those of a node that does not come back.
                bool keepsMembers = former.IsLive(now) && former.LeaseUntil != long.MaxValue;
                Lose(former, new Loss(keepsMembers ? former.LeaseUntil : now, keepsMembers));
            }

            var origin = new RecordOrigin(nodeId, ++_lastIncarnation);
            _nodes[nodeId] = new Node(new NodeInfo(origin, endpoint, Version: version), _time.GetTimestamp(), LeaseEnd());
            return new NodeLease(origin, _lease);
        }
    }

    internal bool Renew(RecordOrigin origin)
    {
        lock (_gate)
        {
            if (Find(origin) is not { } node)
            {
                return false;
            }

            node.Renew(_time.GetTimestamp(), LeaseEnd());
            return true;
        }
    }

    internal void Drain(RecordOrigin origin)
    {
        lock (_gate)
        {
            Node node = Fence(origin);
            node.Info = node.Info with { IsDraining = true };
        }
    }

    internal void Unregister(RecordOrigin origin)
    {
        lock (_gate)
        {
            if (Find(origin) is { } node)
            {
                Lose(node, new Loss(_time.GetTimestamp(), KeepsMembers: false));
            }
        }
    }

    internal IReadOnlyList<NodeInfo> GetNodes()
    {
        lock (_gate)
        {
            return [.. _nodes.Values.Where(IsLive).Select(static node => node.Info).OrderBy(static info => info.Origin.NodeId)];
        }
    }

    internal IReadOnlyList<RecordOrigin> GetLives()
    {
        lock (_gate)
        {
            return
            [
                .. _nodes.Values.Select(static node => node.Info.Origin).Concat(_lost.Keys)
                    .OrderBy(static life => life.Incarnation),
            ];
        }
    }

    internal JoinOutcome Join(RecordOrigin origin, long roomId, ClusterMember member, int maxMembers)
    {
        lock (_gate)
        {
            Fence(origin);
            Dictionary<long, ClusterMember[]> room = _rooms.GetValueOrDefault(roomId) ?? [];
            ClusterMember[] sessions = room.GetValueOrDefault(member.UserId, []);
            // Counting is only needed when members of lost nodes may stand between the room and its capacity.
            if (!IsCounted(sessions) && room.Count >= maxMembers && room.Values.Count(IsCounted) >= maxMembers)
            {
                return JoinOutcome.Full;
            }

            room[member.UserId] = [.. sessions.Where(other => !other.Is(origin, member.SessionId)), member with { Node = origin }];
            _rooms[roomId] = room;
            return JoinOutcome.Joined;
        }
    }

    internal void Leave(RecordOrigin origin, long roomId, long userId, long sessionId)
    {
        lock (_gate)
        {
            Fence(origin);
            Remove(roomId, userId, origin, sessionId);
        }
    }

    internal IReadOnlyList<ClusterMember> GetMembers(long roomId)
    {
        lock (_gate)
        {
            return _rooms.TryGetValue(roomId, out var room)
                ? [.. room.Values.SelectMany(static sessions => sessions).Where(IsCounted).OrderBy(static member => member.UserId)]
                : [];
        }
    }

    internal IReadOnlyList<RoomPopulation> GetRooms(long afterRoomId, int limit)
    {
        lock (_gate)
        {
            return
            [
                .. _rooms.Where(room => room.Key > afterRoomId)
                    .Select(room => new RoomPopulation(room.Key, room.Value.Values.Count(IsCounted)))
                    .Where(static room => room.Members > 0)
                    .OrderBy(static room => room.RoomId)
                    .Take(limit),
            ];
        }
    }

    internal IReadOnlyList<SessionPlace> BindSession(RecordOrigin origin, long userId, long sessionId, int maxSessions)
    {
        lock (_gate)
        {
            Fence(origin);
            var place = new SessionPlace(origin, sessionId);
            SessionPlace[] before = _sessions.GetValueOrDefault(userId, []);
            _sessions[userId] = before.Contains(place) ? before : [.. before, place];
            return [.. FindSessions(userId).SkipLast(maxSessions)];
        }
    }

    internal void UnbindSession(RecordOrigin origin, long userId, long sessionId)
    {
        lock (_gate)
        {
            Fence(origin);
            Forget(userId, other => other == new SessionPlace(origin, sessionId));
        }
    }

    internal IReadOnlyList<SessionPlace> FindSessions(long userId)
    {
        lock (_gate)
        {
            return [.. _sessions.GetValueOrDefault(userId, []).Where(place => IsKnown(place.Node))];
        }
    }

    internal RecordOrigin? AcquireRoom(RecordOrigin origin, long roomId, bool hasState)
    {
        lock (_gate)
        {
            Fence(origin);
            if (_owners.TryGetValue(roomId, out RecordOrigin owner))
            {
                return owner;
            }

            if (!hasState && _nodes.Count > 1 && _orphans.TryGetValue(roomId, out long until) && until > _time.GetTimestamp())
            {
                return null;
            }

            _orphans.Remove(roomId);
            return _owners[roomId] = origin;
        }
    }

    internal bool ReleaseRoom(RecordOrigin origin, long roomId, bool isOver)
    {
        lock (_gate)
        {
            Fence(origin);
            if (!_owners.TryGetValue(roomId, out RecordOrigin owner) || owner != origin)
            {
                return false;
            }

            _owners.Remove(roomId);
            if (!isOver)
            {
                _orphans[roomId] = After(IClusterDirectory.OrphanWait);
            }

            return true;
        }
    }

    internal IReadOnlyList<LostNode> Sweep(RecordOrigin origin)
    {
        lock (_gate)
        {
            long now = _time.GetTimestamp();
            Node sweeper = Fence(origin);
            if (!sweeper.IsLive(now))
            {
                return [];
            }

            if (sweeper.HasHeldItsLease(now))
            {
                foreach (Node expired in _nodes.Values.Where(node => !node.IsLive(now)).ToArray())
                {
                    Lose(expired, new Loss(now, KeepsMembers: false));
                }
            }

            foreach ((long roomId, long until) in _orphans)
            {
                if (until <= now)
                {
                    _orphans.Remove(roomId);
                }
            }

            RecordOrigin[] taken = [.. _lost.Where(lost => lost.Value.RetryAt <= now).Select(static lost => lost.Key)];
            foreach (RecordOrigin node in taken)
            {
                _lost[node] = new Loss(LeaseEnd(), KeepsMembers: false);
            }

            return [.. taken.OrderBy(static node => node.Incarnation).Select(node => new LostNode(node, FindLost(node)))];
        }
    }

    internal void ConfirmLost(RecordOrigin origin, RecordOrigin lost)
    {
        lock (_gate)
        {
            Fence(origin);
            if (!_lost.Remove(lost))
            {
                return;
            }

            foreach (LostMember member in FindLost(lost))
            {
                Remove(member.RoomId, member.Member.UserId, lost, member.Member.SessionId);
            }

            foreach (long userId in _sessions.Keys.ToArray())
            {
                Forget(userId, place => place.Node == lost);
            }

            foreach ((long roomId, RecordOrigin owner) in _owners.ToArray())
            {
                if (owner == lost)
                {
                    _owners.Remove(roomId);
                    _orphans[roomId] = After(IClusterDirectory.OrphanWait);
                }
            }
        }
    }

    private long LeaseEnd() => _lease == Timeout.InfiniteTimeSpan ? long.MaxValue : After(_lease);

    private long After(TimeSpan time) => _time.GetTimestamp() + (long)(time.TotalSeconds * _time.TimestampFrequency);

    /// <summary>After which time the id of a node is free, if the node does not renew its lease.</summary>
    private TimeSpan FreeAfter(Node node, long now)
    {
        TimeSpan left = (_lease / 2) - _time.GetElapsedTime(node.RenewedAt, now);
        return _lease == Timeout.InfiniteTimeSpan ? _lease : left > TimeSpan.Zero ? left : TimeSpan.Zero;
    }

    private bool IsLive(Node node) => node.IsLive(_time.GetTimestamp());

    private bool IsCounted(ClusterMember[] sessions) => Array.Exists(sessions, IsCounted);

    /// <summary>A member counts until its node is declared lost, and of a node that has registered again until a sweep takes the earlier
    /// life.</summary>
    private bool IsCounted(ClusterMember member) =>
        IsKnown(member.Node) || (_lost.TryGetValue(member.Node, out Loss? loss) && loss.KeepsMembers);

    private bool IsKnown(RecordOrigin origin) => _nodes.TryGetValue(origin.NodeId, out Node? node) && node.Info.Origin == origin;

    private Node? Find(RecordOrigin origin) => IsKnown(origin) ? _nodes[origin.NodeId] : null;

    private Node Fence(RecordOrigin origin) => Find(origin) ?? throw new NodeFencedException(origin);

    private void Lose(Node node, Loss loss)
    {
        _nodes.Remove(node.Info.Origin.NodeId);
        _lost[node.Info.Origin] = loss;
    }

    private LostMember[] FindLost(RecordOrigin node) =>
    [
        .. from room in _rooms
           from member in room.Value.Values.SelectMany(static sessions => sessions)
           where member.Node == node
           select new LostMember(room.Key, member),
    ];

    private void Remove(long roomId, long userId, RecordOrigin node, long sessionId)
    {
        if (!_rooms.TryGetValue(roomId, out var room) || !room.TryGetValue(userId, out ClusterMember[]? sessions))
        {
            return;
        }

        room[userId] = Array.FindAll(sessions, member => !member.Is(node, sessionId));
        if (room[userId].Length == 0)
        {
            room.Remove(userId);
        }

        if (room.Count == 0)
        {
            _rooms.Remove(roomId);
        }
    }

    private void Forget(long userId, Predicate<SessionPlace> isGone)
    {
        _sessions[userId] = Array.FindAll(_sessions.GetValueOrDefault(userId, []), place => !isGone(place));
        if (_sessions[userId].Length == 0)
        {
            _sessions.Remove(userId);
        }
    }

    /// <summary>A life that is lost and not confirmed.</summary>
    /// <param name="RetryAt">The time stamp from which on a sweeper may take it.</param>
    /// <param name="KeepsMembers">Whether its members still count.</param>
    private sealed record Loss(long RetryAt, bool KeepsMembers);

    /// <summary>A node and its lease. All times are timestamps of the store's clock.</summary>
    private sealed class Node(NodeInfo info, long now, long leaseUntil)
    {
        private long _heldSince = now;

        public long RenewedAt { get; private set; } = now;

        public long LeaseUntil { get; private set; } = leaseUntil;

        public NodeInfo Info { get; set; } = info;

        public bool IsLive(long now) => LeaseUntil > now;

        /// <summary>Whether the node has renewed its lease for one lease, without a break.</summary>
        public bool HasHeldItsLease(long now) => !IsLate(now) && now - _heldSince >= LeaseUntil - RenewedAt;

        public void Renew(long now, long leaseUntil)
        {
            _heldSince = IsLate(now) ? now : _heldSince;
            RenewedAt = now;
            LeaseUntil = leaseUntil;
        }

        private bool IsLate(long now) => now - RenewedAt > (LeaseUntil - RenewedAt) / 2;
    }
}
