namespace PlayChat.Core.Rooms;

/// <summary>A named group of sessions with state of its own. Only the room's turn touches that state, so you need no locks.</summary>
/// <remarks>
/// <para>Derive your rooms from <see cref="Room{TMember}"/> or <see cref="Room{TMember, TJoin}"/>, keep the state in fields, and post the
/// jobs that change it (<see cref="RoomExtensions"/>). Call the protected members only in the room's turn: in hooks, jobs and timers.
/// Elsewhere, for example after an <see langword="await"/>, they throw <see cref="InvalidOperationException"/>; the room's constructor may
/// call them. The public members are thread-safe. An idle room uses no thread and no task.</para>
/// <para>An exception of a hook, a job or a timer is logged and counted, and the room keeps running.</para>
/// </remarks>
public abstract class Room : ISessionAttachment, IRoomHooks
{
    private readonly RoomContext _context;
    private readonly RoomMembership _members;
    private readonly RoomOutbox _outbox;
    private readonly RoomTurn _turn;
    private readonly RoomQueue _queue;
    private readonly RoomProfile _profile;
    private RoomPart[] _parts = [];

    private protected Room(RoomContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        _context = context;
        int capacity = Math.Min(context.Settings.Capacity, context.Shared.Options.MaxMembers);
        int spectators = Math.Min(context.Settings.SpectatorCapacity, context.Shared.Options.MaxMembers);
        _members = new RoomMembership(this, capacity + spectators, context.Shared.Options.MaxRoomsPerSession);
        _outbox = new RoomOutbox(_members, context.Shared, context.Role?.CreateUplink(context.Shared));
        if (context.Role is { } role)
        {
            role.Room = this;
        }

        _turn = new RoomTurn((IRoomHooks?)context.Role ?? this, _outbox, _members, context);
        _queue = _turn.Queue;
        _profile = new RoomProfile(context.Id, capacity, spectators, context.Settings);
    }

    /// <summary>The room's id: unique in its registry, from 1.</summary>
    public long Id => _context.Id;

    /// <summary>The room's name. Several rooms may have the same.</summary>
    public string Name => _context.Name;

    /// <summary>Whether a cluster shares the room (<see cref="RoomSettings.IsClustered"/>).</summary>
    public bool IsClustered => Role is { IsClustered: true };

    /// <summary>The number of members, spectators included: exact in the turn, slightly out of date on other threads.</summary>
    public int MemberCount => _members.Count;

    /// <summary>The room's description: exact in the turn, slightly out of date on other threads.</summary>
    public RoomDescription Info => _profile.Describe(MemberCount, SpectatorCount);

    /// <summary>The room's waiting and completed work. Reading it needs no turn, so it may be slightly out of date.</summary>
    /// <remarks>The number of waiting jobs is counted under the short lock of the queue: ask now and then, not for each message.</remarks>
    public RoomActivity Activity => _queue.Activity;

    /// <summary>Whether the room was removed. Jobs that were queued before the removal still run; they may have to check this.</summary>
    public bool IsRemoved => _queue.IsClosed;

    internal RoomRole? Role => _context.Role;

    internal RoomContext Context => _context;

    internal RoomTape? Tape
    {
        get => _turn.Tape;
        set => _turn.Tape = value;
    }

    internal RoomTurn Turn => _turn;

    internal RoomOutbox Outbox => _outbox;

    /// <summary>Whether the room is left out of lists.</summary>
    internal bool IsPrivate => _profile.IsPrivate;

    private protected bool IsFull => _members.IsFull;

    private protected int Capacity => _profile.Capacity;

    private protected int SpectatorCapacity => _profile.SpectatorCapacity;

    private protected virtual int SpectatorCount => 0;

    private protected bool IsLocked => _profile.IsLocked;

    /// <summary>The hash of the password; <see langword="null"/> if there is none. The turn reads it.</summary>
    internal byte[]? PasswordHash => _profile.PasswordHash;

    private RoomPackets Packets => new(_outbox, _members, _context.Shared.Outlet);

    private RoomSeats Seats => new(this, _members, _outbox, _queue);

    /// <summary>Queues a frame for <see cref="OnFrame"/> without waiting; the body is copied.</summary>
    /// <param name="from">The sender.</param>
    /// <param name="frame">The frame as it was received.</param>
    /// <returns>
    /// <see langword="false"/> if the queue is full (<see cref="RoomOptions.QueueItems"/>, <see cref="RoomOptions.QueueBytes"/>) or the
    /// room was removed.
    /// </returns>
    public bool PostFrame(Session from, in Frame frame) => _queue.TryPost(ItemOf(from, in frame));

    /// <summary>
    /// Queues a frame for <see cref="OnFrame"/> and waits while the queue is full; the body is copied before the method returns.
    /// </summary>
    /// <param name="from">The sender.</param>
    /// <param name="frame">The frame as it was received.</param>
    /// <returns><see langword="false"/> if the room was removed.</returns>
    public ValueTask<bool> PostFrameAsync(Session from, in Frame frame) =>
        _queue.PostFrameAsync(ItemOf(from, in frame), from);

    /// <summary>Called in the room's first turn, before every job.</summary>
    protected virtual void OnCreate()
    {
    }

    /// <summary>Called for a frame that was posted. The default broadcasts it to every member, the sender included.</summary>
    /// <param name="from">The sender, which may have left meanwhile.</param>
    /// <param name="header">The frame's header fields.</param>
    /// <param name="body">The frame's content; valid during the call.</param>
    protected virtual void OnFrame(Session from, FrameHeader header, ReadOnlySpan<byte> body) => Broadcast(body, header);

    /// <summary>Called at each tick; see <see cref="StartTick"/>.</summary>
    protected virtual void OnTick(in RoomTick tick)
    {
    }

    /// <summary>
    /// Called at the end of a turn that leaves the room empty, because the last member has left or a join into the empty room has failed.
    /// </summary>
    protected virtual void OnEmpty()
    {
    }

    /// <summary>
    /// Called when the room was removed or its server stops: everything that was queued has run, and all members have left. Frames that it
    /// sends are still flushed. Nothing runs in the room afterwards.
    /// </summary>
    protected virtual void OnDispose()
    {
    }

    /// <summary>
    /// Writes the room's state, from which the room continues: on another node of the cluster when this one has ended
    /// (<see cref="RoomSettings.IsClustered"/>), or after a restart of the server (<see cref="RoomSettings.IsPersistent"/>). Called only in
    /// such a room: at each interval (<c>RoomClusterOptions.SnapshotInterval</c>, <c>RoomPersistenceOptions.SaveInterval</c>), when a node
    /// asks for it, and when the server stops. The default writes nothing.
    /// </summary>
    /// <remarks>
    /// Write what <see cref="OnRestore"/> needs, at most <c>RoomClusterOptions.MaxSnapshotBytes</c> or
    /// <c>RoomPersistenceOptions.MaxStateBytes</c>. If the hook throws or writes more, that is logged, and the last state stays.
    /// </remarks>
    /// <param name="state">Takes the bytes; valid during the call.</param>
    protected virtual void OnSnapshot(IBufferWriter<byte> state)
    {
    }

    /// <summary>
    /// Reads what <see cref="OnSnapshot"/> has written last, because this node has taken the room over, or its server has restarted. Called
    /// after <see cref="OnCreate"/>, before everything else. Not called if there is no state.
    /// </summary>
    /// <remarks>
    /// Afterwards the room gets its members back: for each one <c>OnJoining</c> is called again with the argument of its join, but not
    /// <c>OnJoined</c>. In a cluster, members whose node is lost leave then (<see cref="LeaveReason.NodeLost"/>), and <c>OnReturn</c> is
    /// called for the others. After a restart <c>OnAway</c> is called for each, and <c>OnReturn</c> when its client is back.
    /// </remarks>
    /// <param name="state">The bytes; valid during the call.</param>
    protected virtual void OnRestore(ReadOnlySpan<byte> state)
    {
    }

    /// <summary>Adds a part that follows the life of the room from now on. Call it in the constructor or in
    /// <see cref="OnCreate"/>.</summary>
    /// <typeparam name="TPart">The type of the part.</typeparam>
    /// <param name="part">A part that belongs to no room.</param>
    /// <returns>The part.</returns>
    /// <exception cref="InvalidOperationException">The part belongs to a room already, or the room has members.</exception>
    protected TPart AddPart<TPart>(TPart part)
        where TPart : RoomPart
    {
        RequireTurn();
        ArgumentNullException.ThrowIfNull(part);
        if (_members.Count > 0)
        {
            throw new InvalidOperationException("The room has members, of which the part would not know.");
        }

        part.SetRoom(this);
        _parts = [.. _parts, part];
        _turn.HasParts = true;
        return part;
    }

    /// <summary>
    /// Ends memberships (<see cref="LeaveReason.Transferred"/>), and hands the sessions over to <see cref="OnTransferred"/>, for example to
    /// let them join another room.
    /// </summary>
    /// <remarks>
    /// In a room that a cluster shares, <see cref="OnTransferred"/> is called on the node of each session. All of it happens or nothing,
    /// also if this node is killed meanwhile.
    /// </remarks>
    /// <param name="sessions">The sessions. Those that are no members are left out.</param>
    /// <param name="state">What <see cref="OnTransferred"/> needs to know. In a room that a cluster shares, it must fit into a record with
    /// 16 bytes for each session (<c>RoomClusterOptions.MaxRecordBytes</c>).</param>
    /// <param name="node">A node of the cluster that is to run a room for the sessions (<see cref="RoomSettings.Node"/>):
    /// <see cref="OnTransferred"/> is called there even if it has none of them.</param>
    /// <exception cref="ArgumentException">The state is too large; nothing has happened.</exception>
    protected void Transfer(ReadOnlySpan<Session> sessions, ReadOnlySpan<byte> state, string? node = null)
    {
        RequireTurn();
        List<Session> members = [];
        foreach (Session session in sessions)
        {
            if (PlaceOf(session) >= 0)
            {
                members.Add(session);
            }
        }

        Role?.Transfer(CollectionsMarshal.AsSpan(members), state, node);
        members.ForEach(session => Leave(session, LeaveReason.Transferred));
        if (!IsClustered)
        {
            OnTransferred(members, state);
        }
    }

    /// <summary>
    /// Called when the room has handed sessions over (<see cref="Transfer"/>). In a room that a cluster shares, it is called on each node
    /// that has some of them, in the object that is the node's replica of the room.
    /// </summary>
    /// <param name="sessions">The sessions of this node; no members any more. They may have ended meanwhile.</param>
    /// <param name="state">What <see cref="Transfer"/> was given; valid during the call.</param>
    protected virtual void OnTransferred(IReadOnlyList<Session> sessions, ReadOnlySpan<byte> state)
    {
    }

    /// <summary>Returns the nodes of the cluster that may run rooms, ordered by name; none on a node's replica, and in a room that no
    /// cluster shares.</summary>
    /// <param name="sessions">Members, to be counted by their nodes.</param>
    protected IReadOnlyList<RoomNode> FindNodes(IReadOnlyList<Session> sessions)
    {
        RequireTurn();
        return Role?.FindNodes(sessions) ?? [];
    }

    /// <summary>
    /// Removes the room: it is no longer found, and nothing more can be posted. What was queued before still runs; then the remaining
    /// members leave, and the room ends with <see cref="OnDispose"/>.
    /// </summary>
    protected void Remove()
    {
        RequireTurn();
        if (!IsRemoved)
        {
            _queue.Close();
            _context.Rooms.Remove(this);
        }
    }

    /// <summary>Refuses all further joins (<c>JoinAsync</c>), or admits them again. The present members stay.</summary>
    protected void SetLocked(bool isLocked)
    {
        RequireTurn();
        _profile.SetLocked(isLocked);
    }

    /// <summary>Leaves the room out of lists, or lists it again.</summary>
    protected void SetPrivate(bool isPrivate)
    {
        RequireTurn();
        if (_profile.IsPrivate != isPrivate)
        {
            _profile.SetPrivate(isPrivate);
            _context.Rooms.SetListed(Id);
        }
    }

    /// <summary>
    /// Sets a property of the application's own in <see cref="RoomDescription.Properties"/>; <see langword="null"/> removes it.
    /// </summary>
    protected void SetProperty(string key, string? value)
    {
        RequireTurn();
        _profile.SetProperty(key, value);
    }

    /// <summary>Sets the owner of the room; <see langword="null"/> for none.</summary>
    protected void SetOwner(long? ownerId)
    {
        RequireTurn();
        _profile.SetOwner(ownerId);
    }

    /// <summary>Sets the password that a join needs; <see langword="null"/> or empty for none.</summary>
    protected void SetPassword(string? password)
    {
        RequireTurn();
        _profile.SetPassword(password);
    }

    /// <summary>Calls <see cref="OnTick"/> at a fixed rate, until <see cref="StopTick"/> or the end of the room.</summary>
    /// <remarks>
    /// The times are multiples of the period by the server's clock, so lateness does not add up. Each room has its own place within the
    /// period, so that many rooms do not tick at the same instant; the first tick comes within one period. A tick that could not run
    /// before the next was due is counted as missed and does not run later. The system's timers are exact to about a millisecond.
    /// </remarks>
    /// <param name="hertz">Ticks per second: more than 0, at most 1,000. If the room ticks already, it continues at this rate.</param>
    /// <exception cref="ArgumentOutOfRangeException">The rate is out of range.</exception>
    protected void StartTick(double hertz)
    {
        RequireTurn();
        _turn.Timers.StartTick(hertz);
    }

    /// <summary>Ends the ticks.</summary>
    protected void StopTick()
    {
        RequireTurn();
        _turn.StopTick();
    }

    /// <summary>Runs a job once, in a later turn.</summary>
    /// <param name="delay">The time until then, up to 365 days; zero means the next turn.</param>
    /// <param name="job">The job to run.</param>
    /// <returns>The timer, which you can cancel.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The time is out of range.</exception>
    protected RoomTimer After(TimeSpan delay, Action job)
    {
        RequireTurn();
        return _turn.Timers.After(delay, job);
    }

    /// <summary>Runs a job in each period, first after one period. A time that is missed is left out.</summary>
    /// <param name="period">1 millisecond to 365 days.</param>
    /// <param name="job">The job to run.</param>
    /// <returns>The timer, which you can cancel.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The period is out of range.</exception>
    protected RoomTimer Every(TimeSpan period, Action job)
    {
        RequireTurn();
        return _turn.Timers.Every(period, job);
    }

    /// <summary>Queues a frame for every member; the body is copied once for all of them.</summary>
    /// <param name="body">The frame's content.</param>
    /// <param name="header">The fields that the format writes beside the body.</param>
    /// <param name="delivery">What a slow member may lose; nothing by default.</param>
    /// <param name="except">A session that does not get the frame, member or not; by default every member gets it.</param>
    /// <exception cref="ArgumentException">The format cannot carry the body, for example because it is too large.</exception>
    protected void Broadcast(ReadOnlySpan<byte> body, FrameHeader header = default, Delivery delivery = default, Session? except = null)
    {
        RequireTurn();
        _outbox.Broadcast(body, header, delivery, except);
    }

    /// <summary>Queues a frame for every member; it is encoded in place, once for all of them.</summary>
    /// <param name="header">The fields that the format writes beside the body.</param>
    /// <param name="bodyBytes">The exact length of the body.</param>
    /// <param name="state">Passed to <paramref name="write"/>, so that it can be static.</param>
    /// <param name="write">Fills the whole span.</param>
    /// <param name="delivery">What a slow member may lose; nothing by default.</param>
    /// <param name="except">A session that does not get the frame, member or not; by default every member gets it.</param>
    /// <exception cref="ArgumentException">The format cannot carry the body, for example because it is too large.</exception>
    protected void Broadcast<TState>(
        FrameHeader header,
        int bodyBytes,
        TState state,
        SpanAction<byte, TState> write,
        Delivery delivery = default,
        Session? except = null)
    {
        RequireTurn();
        ArgumentNullException.ThrowIfNull(write);
        _outbox.Broadcast(header, bodyBytes, state, write, delivery, except);
    }

    /// <summary>Queues a frame for some sessions, members or not; the body is copied once for all of them.</summary>
    /// <param name="to">The sessions. One that is in it twice gets the frame twice. The span is read during the call.</param>
    /// <param name="body">The frame's content.</param>
    /// <param name="header">The fields that the format writes beside the body.</param>
    /// <param name="delivery">What a slow session may lose; nothing by default.</param>
    /// <exception cref="ArgumentException">The format cannot carry the body, for example because it is too large.</exception>
    protected void BroadcastTo(ReadOnlySpan<Session> to, ReadOnlySpan<byte> body, FrameHeader header = default, Delivery delivery = default)
    {
        RequireTurn();
        _outbox.SendTo(to, body, header, delivery);
    }

    /// <summary>Queues a frame for some sessions, members or not; it is encoded in place, once for all of them.</summary>
    /// <param name="to">The sessions. One that is in it twice gets the frame twice. The span is read during the call.</param>
    /// <param name="header">The fields that the format writes beside the body.</param>
    /// <param name="bodyBytes">The exact length of the body.</param>
    /// <param name="state">Passed to <paramref name="write"/>, so that it can be static.</param>
    /// <param name="write">Fills the whole span.</param>
    /// <param name="delivery">What a slow session may lose; nothing by default.</param>
    /// <exception cref="ArgumentException">The format cannot carry the body, for example because it is too large.</exception>
    protected void BroadcastTo<TState>(
        ReadOnlySpan<Session> to,
        FrameHeader header,
        int bodyBytes,
        TState state,
        SpanAction<byte, TState> write,
        Delivery delivery = default)
    {
        RequireTurn();
        ArgumentNullException.ThrowIfNull(write);
        _outbox.SendTo(to, header, bodyBytes, state, write, delivery);
    }

    /// <summary>
    /// Queues a frame for one session, a member or not. It is flushed at the end of the turn, together with what the turn broadcasts.
    /// </summary>
    /// <param name="to">The session.</param>
    /// <param name="header">The fields that the format writes beside the body.</param>
    /// <param name="bodyBytes">The exact length of the body.</param>
    /// <param name="state">Passed to <paramref name="write"/>, so that it can be static.</param>
    /// <param name="write">
    /// Fills the whole span. It may run under the connection's lock: keep it short, and do not call PlayChat in it.
    /// </param>
    /// <param name="delivery">What the session may lose if it is slow; nothing by default.</param>
    /// <returns>See <see cref="Connection.Send(ReadOnlySpan{byte}, FrameHeader, Delivery)"/>.</returns>
    /// <exception cref="ArgumentException">The format cannot carry the body, for example because it is too large.</exception>
    protected bool Send<TState>(
        Session to, FrameHeader header, int bodyBytes, TState state, SpanAction<byte, TState> write, Delivery delivery = default)
    {
        RequireTurn();
        ArgumentNullException.ThrowIfNull(to);
        ArgumentNullException.ThrowIfNull(write);
        return _outbox.Send(to, header, bodyBytes, state, write, delivery);
    }

    /// <summary>Makes what the running job sends a part of a trace that began earlier: its flush becomes a span <c>deliver</c>.</summary>
    /// <remarks>
    /// A room that sends at once needs no call. Use it in a room that sends later, such as one that waits until a database has a message.
    /// </remarks>
    /// <param name="span">The span that the delivery follows, such as that of the turn in which the room took the message.</param>
    protected internal void ContinueTrace(ActivityContext span)
    {
        RequireTurn();
        _turn.NoteTraced(span);
    }

    /// <summary>Queues a message for every member.</summary>
    /// <param name="message">The message; not kept.</param>
    /// <param name="delivery">What a slow member may lose; nothing by default.</param>
    /// <param name="except">A session that does not get the message, member or not; by default every member gets it.</param>
    /// <param name="type">The type of packet. Default: the one packet of the server's <see cref="PacketSet"/> that carries it.</param>
    /// <exception cref="InvalidOperationException">
    /// There is no <paramref name="type"/>, and no packet of the server's <see cref="PacketSet"/>, or more than one, carries
    /// <typeparamref name="TMessage"/>.
    /// </exception>
    /// <exception cref="ArgumentException">The message is larger than the format can carry.</exception>
    protected void BroadcastPacket<TMessage>(
        TMessage message, Delivery delivery = default, Session? except = null, PacketType<TMessage>? type = null)
    {
        RequireTurn();
        Packets.Broadcast(type ?? TypeOf<TMessage>(), message, delivery, except);
    }

    /// <summary>Queues a message for some sessions, members or not.</summary>
    /// <param name="to">The sessions. One that is in it twice gets the message twice. The span is read during the call.</param>
    /// <param name="message">The message; not kept.</param>
    /// <param name="delivery">What a slow session may lose; nothing by default.</param>
    /// <param name="type">The type of packet. Default: the one packet of the server's <see cref="PacketSet"/> that carries it.</param>
    /// <exception cref="InvalidOperationException">
    /// There is no <paramref name="type"/>, and no packet of the server's <see cref="PacketSet"/>, or more than one, carries
    /// <typeparamref name="TMessage"/>.
    /// </exception>
    /// <exception cref="ArgumentException">The message is larger than the format can carry.</exception>
    protected void BroadcastPacketTo<TMessage>(
        ReadOnlySpan<Session> to, TMessage message, Delivery delivery = default, PacketType<TMessage>? type = null)
    {
        RequireTurn();
        Packets.SendTo(to, type ?? TypeOf<TMessage>(), message, delivery);
    }

    /// <summary>Queues a message for one session, a member or not.</summary>
    /// <param name="to">The session.</param>
    /// <param name="message">The message; not kept.</param>
    /// <param name="requestId">The id of the request that the message answers; 0 for none.</param>
    /// <param name="delivery">What the session may lose if it is slow; nothing by default.</param>
    /// <param name="type">The type of packet. Default: the one packet of the server's <see cref="PacketSet"/> that carries it.</param>
    /// <returns>See <see cref="Connection.Send(ReadOnlySpan{byte}, FrameHeader, Delivery)"/>.</returns>
    /// <exception cref="InvalidOperationException">
    /// There is no <paramref name="type"/>, and no packet of the server's <see cref="PacketSet"/>, or more than one, carries
    /// <typeparamref name="TMessage"/>.
    /// </exception>
    /// <exception cref="ArgumentException">The message is larger than the format can carry.</exception>
    protected bool SendPacket<TMessage>(
        Session to, TMessage message, ushort requestId = 0, Delivery delivery = default, PacketType<TMessage>? type = null)
    {
        RequireTurn();
        ArgumentNullException.ThrowIfNull(to);
        return Packets.Send(to, type ?? TypeOf<TMessage>(), message, requestId, delivery);
    }

    void ISessionAttachment.OnSessionChanged(Session session) => _queue.PostChanged(session);

    void IRoomHooks.OnCreate() => OnCreate();

    void IRoomHooks.OnTick(in RoomTick tick)
    {
        try
        {
            OnTick(in tick);
        }
        finally
        {
            TellParts(static (part, _) => part.OnTick(), 0, nameof(RoomPart.OnTick));
        }
    }

    void IRoomHooks.OnEmpty() => OnEmpty();

    void IRoomHooks.OnDispose() => OnDispose();

    void IRoomHooks.Run(in RoomItem item)
    {
        if (item.Invoker is { } invoker)
        {
            invoker.Invoke(this, in item);
        }
        else
        {
            OnFrame((Session)item.First!, item.Header, item.Body!.Array.AsSpan(0, item.Body.Written));
        }
    }

    void IRoomHooks.OnSessionChanged(Session session)
    {
        // Read once, because other threads change it meanwhile: a recording has what the room acts on.
        bool hasEnded = session.HasEnded;
        (Connection connection, bool isAway) = session.Announced;
        Tape?.SessionChanged(session, hasEnded, connection, isAway);
        if (hasEnded)
        {
            Leave(session, LeaveReason.SessionEnded);
        }
        else
        {
            Seats.Follow(session, connection, isAway);
        }
    }

    void IRoomHooks.TakeOut(Session member) => Leave(member, LeaveReason.RoomRemoved);

    void IRoomHooks.Remove() => Remove();

    void IRoomHooks.OnTurnEnd() => TellParts(static (part, _) => part.OnTurnEnd(), 0, nameof(RoomPart.OnTurnEnd));

    void IRoomHooks.OnEnded() => _context.Rooms.OnEnded(this);

    /// <summary>Schedules the first turn. The registry calls it once, after it has registered the room.</summary>
    internal void Start()
    {
        _turn.Thread.EndCreation();
        if (Tape is null)
        {
            _context.RecordedTime?.Run();
        }

        _turn.Scheduler.Schedule();
    }

    /// <summary>Queues a job without waiting; see <see cref="RoomExtensions"/>.</summary>
    internal bool TryPost(RoomInvoker invoker, Delegate job, object? argument) => _queue.TryPost(ItemOf(invoker, job, argument));

    /// <summary>Queues a job and waits while the queue is full; see <see cref="RoomExtensions"/>.</summary>
    internal ValueTask<bool> PostAsync(RoomInvoker invoker, Delegate job, object? argument, CancellationToken cancellationToken) =>
        _queue.PostAsync(ItemOf(invoker, job, argument), cancellationToken);

    /// <summary>Checks that the arguments of joins can be encoded.</summary>
    /// <param name="purpose">What the room cannot do otherwise, and why.</param>
    /// <exception cref="InvalidOperationException">They cannot; the message says why.</exception>
    internal virtual void CheckArgument(string purpose)
    {
    }

    /// <summary>Returns settings with which another room begins as this one is now; it is neither clustered nor persistent.</summary>
    internal RoomSettings CopySettings()
    {
        RoomDescription info = Info;
        return new RoomSettings
        {
            Name = Name,
            Capacity = info.Capacity,
            SpectatorCapacity = info.SpectatorCapacity,
            IsPrivate = info.IsPrivate,
            IsLocked = info.IsLocked,
            RemoveWhenEmpty = _context.Settings.RemoveWhenEmpty,
            OwnerId = info.OwnerId,
            PasswordHash = PasswordHash,
            Properties = info.Properties,
        };
    }

    /// <summary>Writes the state of the parts, each behind its length, and then that of the room.</summary>
    internal void Snapshot(IBufferWriter<byte> state)
    {
        var bytes = new ArrayBufferWriter<byte>();
        foreach (RoomPart part in _parts)
        {
            bytes.ResetWrittenCount();
            part.OnSnapshot(bytes);
            BinaryPrimitives.WriteInt32LittleEndian(state.GetSpan(sizeof(int)), bytes.WrittenCount);
            state.Advance(sizeof(int));
            state.Write(bytes.WrittenSpan);
        }

        OnSnapshot(state);
    }

    /// <summary>Does <see cref="Snapshot"/>, and logs and counts what a hook throws.</summary>
    /// <param name="name">What the log calls it.</param>
    /// <returns>The state; <see langword="null"/> if a hook has failed.</returns>
    internal ArrayBufferWriter<byte>? SnapshotGuarded(string name = "A record of the cluster")
    {
        ArrayBufferWriter<byte>? written = null;
        RunGuarded(
            room =>
            {
                var buffer = new ArrayBufferWriter<byte>();
                room.Snapshot(buffer);
                written = buffer;
            },
            this,
            name);
        return written;
    }

    /// <summary>Reads what <see cref="Snapshot"/> has written.</summary>
    /// <param name="state">The bytes.</param>
    /// <param name="isOwned">Whether the object is to run the room. Otherwise it is the node's replica, whose parts alone read it.</param>
    internal void Restore(ReadOnlySpan<byte> state, bool isOwned)
    {
        foreach (RoomPart part in _parts)
        {
            int bytes = BinaryPrimitives.ReadInt32LittleEndian(state);
            ReadOnlySpan<byte> own = state.Slice(sizeof(int), bytes);
            if (isOwned)
            {
                part.OnRestore(own);
            }
            else
            {
                part.OnPublished(own);
            }

            state = state[(sizeof(int) + bytes)..];
        }

        if (isOwned && (_parts.Length == 0 || !state.IsEmpty))
        {
            OnRestore(state); // not called if there is no state
        }
    }

    /// <summary>Makes a session of any node of the cluster a member, as a join on this server does.</summary>
    internal (JoinStatus Status, string? Reason) Join(Session session, string? password, byte[] argument)
    {
        bool opens = Opens(password);
        Tape?.Join(session, opens, argument);
        return Join(session, opens, argument);
    }

    /// <summary>Makes a session a member that has shown a password.</summary>
    internal abstract (JoinStatus Status, string? Reason) Join(Session session, bool opens, byte[] argument);

    /// <summary>Encodes the arguments with which the present members have joined.</summary>
    /// <exception cref="InvalidOperationException">They are no message of the server's packets.</exception>
    internal abstract IEnumerable<(RoomMember Member, byte[] Argument)> EncodeMembers();

    /// <summary>The packet of the arguments of joins; <see langword="null"/> if joins have none.</summary>
    internal virtual PacketType? JoinPacket => null;

    /// <summary>Makes a session a member again that was one at the former owner; <c>OnJoined</c> is not called.</summary>
    /// <returns><see langword="false"/> if the room refuses it now.</returns>
    internal abstract bool Restore(Session session, byte[] argument);

    /// <summary>Ends a membership, and calls the hook for that.</summary>
    /// <returns><see langword="false"/> if the session was no member.</returns>
    internal abstract bool Leave(Session session, LeaveReason reason);

    internal JoinStatus Seat(Session session) => Seats.Seat(session);

    internal bool Unseat(Session session) => Seats.Unseat(session);

    /// <summary>Calls the hook for sessions of this node that the room's owner has handed over.</summary>
    internal void CallTransferred(IReadOnlyList<Session> sessions, byte[] state) => OnTransferred(sessions, state);

    internal abstract void CallAway(Session member);

    internal abstract void CallReturned(Session member, bool isRecovered);

    /// <summary>Removes the object of the member at a place that was freed. The last member then has this place.</summary>
    internal abstract void RemoveMemberAt(int place);

    /// <summary>Starts a timer of the room's <see cref="RoomRole"/>.</summary>
    internal void Repeat(TimeSpan period, Action job) => _turn.Timers.Every(period, job, isOfRole: true);

    internal void StartTimer(TimeSpan delay, Action job) => After(delay, job);

    /// <summary>Runs something in the turn; logs and counts what it throws.</summary>
    internal void RunGuarded<TArgument>(Action<TArgument> work, TArgument argument, string name = "A record of the cluster") =>
        _turn.RunHook(work, argument, name);

    /// <summary>Calls a hook of each part. What one of them throws is logged and counted, and the next one is called.</summary>
    private protected void TellParts<TArgument>(Action<RoomPart, TArgument> hook, TArgument argument, string name)
    {
        foreach (RoomPart part in _parts)
        {
            _turn.Guard(static call => call.Hook(call.Part, call.Argument), (Hook: hook, Part: part, Argument: argument), name);
        }
    }

    /// <summary>Handles what a member has sent to its node.</summary>
    internal void Receive(Session from, FrameHeader header, byte[] body, bool isPacket)
    {
        Tape?.Received(from, header, body, isPacket);
        if (!isPacket)
        {
            OnFrame(from, header, body);
            return;
        }

        FrameData data = FrameData.OfBody(new ReadOnlySequence<byte>(body), header);
        if (_context.Shared.FindInvoker?.Invoke(header.PacketId) is { } invoker
            && invoker.TryDecode(this, new Frame(ref data)) is { } message)
        {
            invoker.Invoke(this, new RoomItem(invoker, null, from.Connection, message, null, header, _context.Shared.Time.GetTimestamp()));
        }
    }

    /// <summary>Queues a received message and waits while the queue is full.</summary>
    /// <param name="invoker">Handles the message in the room's turn.</param>
    /// <param name="from">The connection that sent it.</param>
    /// <param name="message">The message.</param>
    /// <param name="header">Says which packet it came as, and which request it is.</param>
    /// <returns><see langword="false"/> if the room was removed. The wait ends when the connection is aborted.</returns>
    internal ValueTask<bool> PostMessageAsync(RoomInvoker invoker, Connection from, object message, FrameHeader header)
    {
        var item = new RoomItem(invoker, null, from, message, null, header, _context.Shared.Time.GetTimestamp());
        return _queue.PostAsync(in item, from.Aborted);
    }

    /// <summary>Answers a request behind what the turn has broadcast to its sender so far.</summary>
    internal void Answer<TMessage>(Session to, PacketType<TMessage> type, TMessage message, ushort requestId) =>
        Packets.Send(to, type, message, requestId, default);

    /// <summary>
    /// Completes when what was queued before has run and is flushed. If the room was removed, it completes when the room has ended.
    /// </summary>
    internal async Task DrainAsync(CancellationToken cancellationToken)
    {
        var flushed = new FlushWaiter();
        bool isPosted = await this.PostAsync(
            static (Room room, FlushWaiter waiter) => room._turn.CompleteWhenFlushed(waiter),
            flushed,
            cancellationToken).ConfigureAwait(false);
        await (isPosted ? flushed.Task : _turn.Ended).WaitAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Removes the room, unless it was removed already; completes when the room has ended.</summary>
    internal async Task EndAsync(CancellationToken cancellationToken)
    {
        await this.PostAsync(RoomCommand.Job, RoomCommand.Remove, cancellationToken).ConfigureAwait(false);
        await _turn.Ended.WaitAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Returns the place of a member, or -1.</summary>
    private protected int PlaceOf(Session session) => _members.PlaceOf(session);

    /// <summary>Throws unless the caller is in the room's turn.</summary>
    /// <param name="member">The protected member that was called.</param>
    /// <exception cref="InvalidOperationException">It is not.</exception>
    private protected void RequireTurn([CallerMemberName] string member = "") => _turn.Thread.Require(member);

    internal void RemoveIfEmpty() => _turn.RemoveIfEmpty();

    private protected bool Opens(string? password) => _profile.Opens(password);

    private protected PacketType<TMessage> TypeOf<TMessage>() => _context.Shared.Packets.Get<TMessage>();

    private RoomItem ItemOf(RoomInvoker invoker, Delegate job, object? argument) =>
        new(invoker, job, argument, null, null, default, _context.Shared.Time.GetTimestamp());

    private RoomItem ItemOf(Session from, in Frame frame) =>
        RoomItem.OfFrame(from, in frame, _context.Shared.Pool, _context.Shared.Time.GetTimestamp());

    /// <summary>Waits for a flush, and changes nothing of the room.</summary>
    private sealed class FlushWaiter() : TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously), IRoomInput
    {
        public void Describe(RoomTape tape)
        {
        }
    }
}
