namespace PlayChat.Core.Rooms;

/// <summary>
/// Collects what a room's turn sends, and flushes it to the members' connections. Each member gets the frames in the order of the calls.
/// </summary>
/// <remarks>
/// <para>Nearly always all members get the same frames, so each member's queue gets the blocks as they are.</para>
/// <para>Invariant: each frame of the turn is either in <c>_blocks</c>, for all members that <c>_views</c> does not exclude, or already
/// in the outbound queue of its connection. A connection with unflushed frames of this turn is a member's and <c>_hasUnflushed</c> is
/// set, or it is in <c>_addressed</c>. A member with a replay buffer is away: its frames are kept there and not queued.</para>
/// <para>Only the room's turn uses it.</para>
/// </remarks>
internal sealed class RoomOutbox
{
    // The members that a flush sends to before it yields its thread to other rooms, and on an event loop to ready sockets. So many sends
    // take about an eighth of a millisecond.
    private const int MembersPerSlice = 32;

    // Sends to so few connections take less time than waiting for a lane.
    private const int FewConnections = 8;

    private readonly RoomMembership _members;
    private readonly FrameFormat _format;
    private readonly SegmentPool _pool;
    private readonly ServerMetrics _metrics;
    private readonly RoomUplink? _uplink; // in a room that a cluster shares, on its owner
    private readonly int _replayBytes;
    private readonly int _maxReplayBehind;
    private readonly List<Connection> _addressed = []; // connections with frames of their own in this turn, some of them several times
    private TurnBlocks _blocks;
    private MemberViews _views = new();
    private RoomPressure _pressure;
    private Dictionary<Session, ReplayBuffer>? _replays; // of members that are away; null while there are none
    private Segment? _direct; // frames for some connections only
    private int _turnBytes;
    private bool _hasUnflushed;
    private int _nextMember; // of the flush
    private int _nextAddressed;

    /// <param name="members">
    /// The members; they change only after <see cref="QueueBroadcasts"/> or <see cref="QueueBroadcastsAndLeave"/>.
    /// </param>
    /// <param name="services">The format, the pool, the metrics and the clock of the server.</param>
    /// <param name="uplink">Takes what is sent in place of the members' connections, if there is one.</param>
    internal RoomOutbox(RoomMembership members, RoomServices services, RoomUplink? uplink = null)
    {
        _uplink = uplink;
        _members = members;
        _format = services.Format;
        _pool = services.Pool;
        _metrics = services.Metrics;
        _replayBytes = services.ReplayBytes;
        _maxReplayBehind = 4 * services.MaxTurnBytes; // half of an outbound queue: the rest is for what the room sends meanwhile
        _blocks = new TurnBlocks(services.Format, services.Pool);
        _pressure = new RoomPressure(services.Time, services.MaxTurnBytes / 2);
    }

    /// <summary>Is told what the room sends; <see langword="null"/> for most rooms.</summary>
    internal RoomTape? Tape { get; set; }

    /// <summary>The bytes that this turn has sent; a broadcast counts once.</summary>
    internal int TurnBytes => _turnBytes;

    /// <summary>What this turn has sent so far: bytes, and frames or blocks for single connections. It changes with each send.</summary>
    internal (int Bytes, int Addressed) Sent => (_turnBytes, _addressed.Count);

    /// <summary>Whether there is something to flush.</summary>
    internal bool HasFrames => !_blocks.IsEmpty || _hasUnflushed || _addressed.Count > 0 || _direct is not null
        || _uplink is { HasFrames: true };

    /// <summary>Whether the flush has so few connections that it does not need a lane.</summary>
    internal bool IsSmall => _members.Count + _addressed.Count <= FewConnections;

    internal void BeginTurn() => _turnBytes = 0;

    /// <summary>Returns whether the next turn has to wait, because many members are behind.</summary>
    internal bool MustHold() => _uplink is null ? _pressure.MustHold(_members.Connections) : _uplink.MustHold();

    /// <summary>Queues a frame for every member, or for every member but one.</summary>
    internal void Broadcast(ReadOnlySpan<byte> body, FrameHeader header, Delivery delivery, Session? except = null)
    {
        Span<byte> destination = BeginBroadcast(header, body.Length);
        body.CopyTo(destination);
        EndBroadcast(header, destination, delivery, except);
    }

    /// <summary>Queues a frame for every member, or for every member but one; <paramref name="write"/> encodes its body in place.</summary>
    internal void Broadcast<TState>(
        FrameHeader header, int bodyBytes, TState state, SpanAction<byte, TState> write, Delivery delivery, Session? except = null)
    {
        Span<byte> destination = BeginBroadcast(header, bodyBytes);
        write(destination, state);
        EndBroadcast(header, destination, delivery, except);
    }

    /// <summary>Queues a frame for some sessions, members or not.</summary>
    internal void SendTo(ReadOnlySpan<Session> to, ReadOnlySpan<byte> body, FrameHeader header, Delivery delivery)
    {
        if (!to.IsEmpty)
        {
            Span<byte> destination = BeginDirect(header, body.Length);
            body.CopyTo(destination);
            EndDirect(to, header, destination, delivery);
        }
    }

    /// <summary>Queues a frame for some sessions, members or not; <paramref name="write"/> encodes its body in place.</summary>
    internal void SendTo<TState>(
        ReadOnlySpan<Session> to, FrameHeader header, int bodyBytes, TState state, SpanAction<byte, TState> write, Delivery delivery)
    {
        if (!to.IsEmpty)
        {
            Span<byte> destination = BeginDirect(header, bodyBytes);
            write(destination, state);
            EndDirect(to, header, destination, delivery);
        }
    }

    /// <summary>
    /// Queues a frame for one session, a member or not; <paramref name="write"/> encodes its body in place, maybe under the connection's
    /// lock.
    /// </summary>
    /// <returns>Whether the session's outbound queue accepted it.</returns>
    internal bool Send<TState>(
        Session to, FrameHeader header, int bodyBytes, TState state, SpanAction<byte, TState> write, Delivery delivery)
    {
        if (_uplink is not null || (_replays is not null && _replays.ContainsKey(to)))
        {
            SendTo(new ReadOnlySpan<Session>(in to), header, bodyBytes, state, write, delivery);
            bool isSent = _uplink is not null; // a member that is away does not get it
            return Tape?.Accepted(isSent) ?? isSent;
        }

        if (Tape is { } tape)
        {
            return SendTaped(tape, to, header, bodyBytes, state, write, delivery);
        }

        Connection connection = ConnectionOf(to);
        CatchUp(to, connection);
        _addressed.Add(connection);
        bool sent = connection.Enqueue(header, bodyBytes, state, write, delivery);
        _turnBytes += bodyBytes;
        return sent;
    }

    /// <summary>
    /// Queues what has been broadcast so far for the present members, because the membership is about to change. It is flushed at the end
    /// of the turn.
    /// </summary>
    internal void QueueBroadcasts()
    {
        if (!_blocks.IsEmpty)
        {
            SendBlocks(0, _members.Count, flush: false);
            ReleaseBlocks();
            _hasUnflushed = true;
        }
    }

    /// <summary>
    /// Does the same as <see cref="QueueBroadcasts"/> before a member leaves, and flushes its connection at the end of the turn as well.
    /// </summary>
    internal void QueueBroadcastsAndLeave(Session member)
    {
        QueueBroadcasts();
        _addressed.Add(ConnectionOf(member));
    }

    /// <summary>Begins to keep the frames of a member that is away. Frames from before are not kept: call it first.</summary>
    internal void BeginReplay(Session member)
    {
        if (_replayBytes > 0)
        {
            QueueBroadcasts();
            (_replays ??= [])[member] = new ReplayBuffer(_replayBytes);
        }
    }

    /// <summary>
    /// Queues the frames that were kept for a member on its new connection. Call it after <see cref="QueueBroadcasts"/>, which keeps what
    /// was broadcast last.
    /// </summary>
    /// <returns>Whether the member has all frames since <see cref="BeginReplay"/>.</returns>
    internal bool Replay(Session member, Connection connection)
    {
        if (EndReplay(member) is not { } buffer || !buffer.Fits(connection, _maxReplayBehind))
        {
            return false;
        }

        _addressed.Add(connection);
        return buffer.Send(connection, _pool);
    }

    /// <summary>Keeps no more frames for a member.</summary>
    internal ReplayBuffer? EndReplay(Session member)
    {
        ReplayBuffer? buffer = null;
        _replays?.Remove(member, out buffer);
        if (_replays is { Count: 0 })
        {
            _replays = null;
        }

        return buffer;
    }

    /// <summary>
    /// Leaves the frames that were kept for a member to its session, because the membership has ended. Call it after
    /// <see cref="QueueBroadcastsAndLeave"/>, and after the session was detached.
    /// </summary>
    internal void LeaveReplay(Session member)
    {
        if (EndReplay(member) is { HasOverflowed: false, Bytes: > 0 } buffer)
        {
            LeftReplay.Leave(member, buffer, _pool, _maxReplayBehind);
        }
    }

    internal void BeginFlush()
    {
        _nextMember = 0;
        _nextAddressed = 0;
        _pressure.BeginFlush();
    }

    /// <summary>Flushes the next slice: members first, then the connections that got frames of their own.</summary>
    /// <returns>Whether all are flushed. If not, the caller calls it again later; nothing may be sent in between.</returns>
    internal bool FlushSlice()
    {
        if (!_blocks.IsEmpty || _hasUnflushed)
        {
            int end = Math.Min(_members.Count, _nextMember + MembersPerSlice);
            if (!_blocks.IsEmpty)
            {
                SendBlocks(_nextMember, end, flush: true);
            }
            else
            {
                Flush(_members.Connections[_nextMember..end]);
            }

            _nextMember = end;
            if (end < _members.Count)
            {
                return false;
            }

            ReleaseBlocks();
            _hasUnflushed = false;
        }

        // A connection that is in the list several times counts several times as behind. The next turn counts exactly before it waits.
        int addressedEnd = Math.Min(_addressed.Count, _nextAddressed + MembersPerSlice);
        Flush(CollectionsMarshal.AsSpan(_addressed)[_nextAddressed..addressedEnd]);
        _nextAddressed = addressedEnd;
        if (addressedEnd < _addressed.Count)
        {
            return false;
        }

        _addressed.Clear();
        _direct?.Release();
        _direct = null;
        _pressure.EndFlush(_members.Count);
        _uplink?.Flush();
        return true;
    }

    private Span<byte> BeginBroadcast(FrameHeader header, int bodyBytes) =>
        _uplink is null ? _blocks.BeginFrame(header, bodyBytes) : _uplink.Begin(header, bodyBytes);

    /// <summary>Sends a body that the tape has seen: it is written here, because a connection writes into memory of its own.</summary>
    private bool SendTaped<TState>(
        RoomTape tape, Session to, FrameHeader header, int bodyBytes, TState state, SpanAction<byte, TState> write, Delivery delivery)
    {
        byte[] body = new byte[bodyBytes];
        write(body, state);
        tape.Sent(header, body, new ReadOnlySpan<Session>(in to), isBroadcast: false, except: null);
        Connection connection = ConnectionOf(to);
        CatchUp(to, connection);
        _addressed.Add(connection);
        _turnBytes += bodyBytes;
        return tape.Accepted(
            connection.Enqueue(header, bodyBytes, body, static (destination, written) => written.CopyTo(destination), delivery));
    }

    private void EndBroadcast(FrameHeader header, ReadOnlySpan<byte> body, Delivery delivery, Session? except)
    {
        Tape?.Sent(header, body, default, isBroadcast: true, except);
        if (_uplink is not null)
        {
            _turnBytes += _uplink.EndBroadcast(body, delivery, except);
            return;
        }

        if (except is null || _members.PlaceOf(except) is not (>= 0 and var member))
        {
            _turnBytes += _blocks.EndFrame(body, delivery);
            return;
        }

        TurnPosition before = _blocks.End;
        _turnBytes += _blocks.EndFrame(body, delivery);
        _views.LeaveOut(member, before, _blocks.End);
    }

    private Span<byte> BeginDirect(FrameHeader header, int bodyBytes)
    {
        if (_uplink is not null)
        {
            return _uplink.Begin(header, bodyBytes);
        }

        int bytes = RoomFrames.GetEncodedBytes(_format, bodyBytes);
        if (_direct is null || _direct.FreeBytes < bytes)
        {
            _direct?.Release();
            _direct = null;
            _direct = _pool.RentSegment(bytes);
        }

        return RoomFrames.Begin(_format, _direct, header, bodyBytes);
    }

    private void EndDirect(ReadOnlySpan<Session> to, FrameHeader header, ReadOnlySpan<byte> body, Delivery delivery)
    {
        Tape?.Sent(header, body, to, isBroadcast: false, except: null);
        if (_uplink is not null)
        {
            _turnBytes += _uplink.EndDirect(to, body, delivery);
            return;
        }

        var frame = new LooseFrame(_direct!.Written, RoomFrames.End(_format, body), 0, delivery);
        var frames = new SharedFrames(_direct, frame.Start, frame.Bytes, 0, 1);
        ReadOnlySpan<LooseFrame> loose = delivery.IsReliable ? default : new ReadOnlySpan<LooseFrame>(in frame);
        _direct.Written += frame.Bytes;
        _turnBytes += frame.Bytes;
        int delivered = 0;
        foreach (Session session in to)
        {
            ArgumentNullException.ThrowIfNull(session, nameof(to));
            if (_replays is not null && _replays.TryGetValue(session, out ReplayBuffer? buffer))
            {
                RecordBroadcasts(session, buffer);
                buffer.Add(in frames, loose);
                continue;
            }

            Connection connection = ConnectionOf(session);
            CatchUp(session, connection);
            _addressed.Add(connection);
            delivered += connection.SendShared(in frames, loose, flush: false);
        }

        CountDeliveries(delivered);
    }

    /// <summary>
    /// Queues what has been broadcast so far for a session, if it is a member, because it is about to get a frame of its own.
    /// </summary>
    private void CatchUp(Session session, Connection connection)
    {
        if (_blocks.IsEmpty || _members.PlaceOf(session) is not (>= 0 and var member))
        {
            return;
        }

        TurnPosition end = _blocks.End;
        if (_views.PositionOf(member) != end)
        {
            CountDeliveries(_views.Send(member, connection, in _blocks, flush: false));
            _views.MoveTo(member, end);
        }
    }

    /// <summary>
    /// The connection through which the room sends to a session: the announced one. A member that has resumed keeps the lost one until
    /// the room has returned it.
    /// </summary>
    private Connection ConnectionOf(Session session)
    {
        Connection connection = session.Announced.Connection; // before HasMoved: a new connection is seen with it
        return session.HasMoved && _members.PlaceOf(session) is >= 0 and var member ? _members.Connections[member] : connection;
    }

    /// <summary>Keeps what has been broadcast so far for a member that is away, because a frame of its own follows.</summary>
    private void RecordBroadcasts(Session session, ReplayBuffer buffer)
    {
        if (!_blocks.IsEmpty && _members.PlaceOf(session) is >= 0 and var member)
        {
            _views.Record(member, buffer, in _blocks);
            _views.MoveTo(member, _blocks.End);
        }
    }

    private void SendBlocks(int from, int to, bool flush)
    {
        ReadOnlySpan<Connection> members = _members.Connections;
        Dictionary<Session, ReplayBuffer>? replays = _replays;
        bool alike = _views.AreAlike && !_blocks.HasLoose;
        long delivered = 0;
        for (int m = from; m < to; m++)
        {
            PrefetchNext(members, m, to);
            Connection connection = members[m];
            if (replays is not null && replays.TryGetValue(_members.Sessions[m], out ReplayBuffer? buffer))
            {
                _views.Record(m, buffer, in _blocks);
                continue;
            }

            delivered += alike ? _blocks.SendAll(connection, flush) : _views.Send(m, connection, in _blocks, flush);

            // The connection is in the processor's cache now. If the next turn counted those behind, it would fetch each of them again.
            if (flush)
            {
                _pressure.Observe(connection);
            }
        }

        CountDeliveries(delivered);
    }

    private void Flush(ReadOnlySpan<Connection> connections)
    {
        foreach (Connection connection in connections)
        {
            connection.Flush();
            _pressure.Observe(connection);
        }
    }

    private void ReleaseBlocks()
    {
        _blocks.Clear();
        _views.Clear();
    }

    private void CountDeliveries(long delivered) => _metrics.Add(Counter.Deliveries, delivered);

    /// <summary>
    /// Fetches the connections of the next members into the processor's cache, which they have left since the last turn. The fetch runs
    /// while the room sends to the members before them.
    /// </summary>
    private static void PrefetchNext(ReadOnlySpan<Connection> members, int member, int end)
    {
        if (member + 4 < end)
        {
            members[member + 4].Prefetch();
        }

        if (member + 2 < end)
        {
            members[member + 2].PrefetchSending();
        }
    }
}
