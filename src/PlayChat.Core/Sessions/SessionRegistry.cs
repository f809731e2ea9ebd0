namespace PlayChat.Core.Sessions;

/// <summary>The sessions of a server, by id and by user. Thread-safe.</summary>
public sealed class SessionRegistry
{
    // The sessions of each user in the order of their logins; never empty. Arrays are replaced, never changed.
    private readonly ConcurrentDictionary<string, Session[]> _byName = new(StringComparer.Ordinal);
    private readonly ConcurrentDictionary<long, Session[]> _byId = new();
    private readonly ConcurrentDictionary<string, Task> _leaving = new(StringComparer.Ordinal); // by name: ended, still in rooms
    private readonly object _gate = new(); // guards writing the three, so that they name the same sessions of a user
    private readonly ServerMetrics _metrics;
    private readonly Func<long, Connection?>? _findConnection;
    private readonly ResumeTable? _resume; // null without a resume window
    private readonly ResumeStorage? _storage; // null without a resume store
    private int _count;

    /// <summary>Makes an empty one.</summary>
    /// <param name="metrics">Where sessions are counted.</param>
    /// <param name="findConnection">
    /// Finds a connection by its id, so that there is no second table of them; a registry without it finds no session by its id.
    /// </param>
    /// <param name="resume">The sessions that may resume; <see langword="null"/> if none may. It stays the caller's.</param>
    /// <param name="storage">Where their tokens survive a restart; <see langword="null"/> if they do not.</param>
    internal SessionRegistry(
        ServerMetrics metrics, Func<long, Connection?>? findConnection = null, ResumeTable? resume = null, ResumeStorage? storage = null)
    {
        _metrics = metrics;
        _findConnection = findConnection;
        if (resume is not null)
        {
            _resume = resume;
            _storage = storage;
            resume.End = Close;
        }
    }

    /// <summary>All sessions that are connected, anonymous ones included; not those that are away.</summary>
    /// <remarks>
    /// Enumerates the live table, without a copy and without a lock, while sessions come and go. It gives each session that is there the
    /// whole time exactly once, in no order. It gives a session that comes or goes meanwhile at most once, maybe before the handlers of
    /// <c>OnConnected</c> have run.
    /// </remarks>
    public IEnumerable<Session> All => Audience?.All ?? [];

    /// <summary>The same sessions, to send to them; a registry without it has none.</summary>
    internal SessionAudience? Audience { get; init; }

    /// <summary>The number of sessions, including those that are anonymous or away.</summary>
    public int Count => Volatile.Read(ref _count);

    /// <summary>The sessions that are away. Enumerates the live table, as <see cref="All"/> does.</summary>
    public IEnumerable<Session> Away => _resume?.Away ?? [];

    /// <summary>How many sessions are away: their connection broke, and they may still resume.</summary>
    public int AwayCount => _resume?.AwayCount ?? 0;

    /// <summary>How many users have no session, and rooms that have not handled the end of their last one. For tests.</summary>
    internal int LeavingCount => _leaving.Count;

    /// <summary>Sessions that one user may have: <see cref="SessionOptions.MaxPerUser"/>.</summary>
    internal int MaxPerUser { get; init; } = 1;

    /// <summary>Called with each session that has ended and the reason. Must not throw.</summary>
    internal Action<Session, CloseReason>? Ended { get; init; }

    /// <summary>Finds a session by its id, including a session that is away or has resumed.</summary>
    public Session? Find(long id)
    {
        Session? session = _findConnection?.Invoke(id)?.Get<Session>();
        if (session is null || session.Id != id)
        {
            session = _resume?.Find(id);
        }

        return session is { HasEnded: false } ? session : null;
    }

    /// <summary>
    /// Finds the session of a user by name, including a session that is away; of several the one that was bound last. Names are compared
    /// ordinally.
    /// </summary>
    public Session? FindUser(string name) => _byName.GetValueOrDefault(name)?[^1];

    /// <summary>
    /// Finds the session of a user by <see cref="SessionUser.Id"/>, including a session that is away. Ids must be unique for this: of users
    /// that share one, it finds at most the session that was bound last.
    /// </summary>
    public Session? FindUser(long id) => _byId.GetValueOrDefault(id)?[^1];

    /// <summary>
    /// Finds all sessions of a user by name, at most <see cref="SessionOptions.MaxPerUser"/>, in the order in which they were bound,
    /// including those that are away. The list does not change afterwards.
    /// </summary>
    public IReadOnlyList<Session> FindAllOfUser(string name) => _byName.GetValueOrDefault(name) ?? [];

    /// <summary>The same by <see cref="SessionUser.Id"/>, which must be unique.</summary>
    public IReadOnlyList<Session> FindAllOfUser(long id) => _byId.GetValueOrDefault(id) ?? [];

    /// <summary>
    /// Binds a session to a user whose identity was checked. If the user had <see cref="SessionOptions.MaxPerUser"/> sessions already, the
    /// one that <see cref="Bind"/> returns ends, and its client is told and closed, as <see cref="CloseReason.TakenOver"/>. Completes when
    /// the rooms of all sessions of the user that have ended have called <c>OnLeave</c>, so what they save there can be loaded now. In
    /// rooms that a cluster shares, <c>OnLeave</c> may run later, on another node.
    /// </summary>
    /// <param name="session">Of a connection that is logging in.</param>
    /// <param name="user">The user that has logged in.</param>
    /// <param name="cancellationToken">Ends the wait alone: the session is bound all the same.</param>
    /// <returns>The session that had to go, if any; it has ended.</returns>
    /// <exception cref="InvalidOperationException">The session is bound already.</exception>
    public async ValueTask<Session?> TakeOverAsync(Session session, SessionUser user, CancellationToken cancellationToken = default)
    {
        Session? older = Bind(session, user);
        await EndOlderAsync(session, older, cancellationToken).ConfigureAwait(false);
        return older;
    }

    /// <summary>Binds a session to a user whose identity was checked. A session is bound once.</summary>
    /// <param name="session">Of a connection that is logging in.</param>
    /// <param name="user">The user that has logged in.</param>
    /// <returns>
    /// The session that had to go, because the user had <see cref="SessionOptions.MaxPerUser"/> of them: one that was away, or else the one
    /// that was idle for longest. It is no longer found, it cannot resume any more, and the caller tells and closes it. If it was away, it
    /// has ended as <see cref="CloseReason.TakenOver"/>. <see cref="TakeOverAsync"/> does all of that.
    /// </returns>
    /// <exception cref="InvalidOperationException">The session is bound already.</exception>
    public Session? Bind(Session session, SessionUser user)
    {
        ArgumentNullException.ThrowIfNull(user);
        Session? older;
        do
        {
            older = FindOlder(user);
        }
        while (!TryBind(session, user, older));

        return older;
    }

    /// <summary>The session that has to go if a user logs in now; <see langword="null"/> if none has to.</summary>
    internal Session? FindOlder(SessionUser user) =>
        _byName.TryGetValue(user.Name, out Session[]? present) && present.Length >= MaxPerUser
            ? present.MinBy(static session => session.IsAway ? 0 : session.LastUsed)
            : null;

    /// <summary>
    /// Binds a session as <see cref="Bind"/> does, unless the session that has to go is another one than the caller has found.
    /// </summary>
    internal bool TryBind(Session session, SessionUser user, Session? older)
    {
        ArgumentNullException.ThrowIfNull(session);
        if (session.User is not null)
        {
            throw new InvalidOperationException($"Session {session.Id} is bound to {session.User.Name} already.");
        }

        lock (_gate)
        {
            Session[] present = _byName.GetValueOrDefault(user.Name, []);
            if (present.Length >= MaxPerUser ? older is null || !present.Contains(older) : older is not null)
            {
                return false;
            }

            session.SetUser(user);
            Task left = _leaving.GetValueOrDefault(user.Name, Task.CompletedTask);
            session.FormerLeft = older is null ? left : Both(left, LeftWithFormer(older));
            Set(user, [.. present.Where(other => other != older), session]);
        }

        if (session.HasEnded)
        {
            Unbind(session); // its connection ended meanwhile
        }

        if (older is not null && _resume is { } table)
        {
            if (table.Forget(older))
            {
                Close(older, CloseReason.TakenOver);
            }
            else if (older.Resume?.StoredHashes is { Length: > 0 } stored)
            {
                _ = _storage!.RemoveAsync(stored).AsTask();
            }
        }

        return true;
    }

    /// <summary>Ends the session that <see cref="TryBind"/> has replaced, and waits for the rooms of all earlier sessions.</summary>
    internal async ValueTask EndOlderAsync(Session session, Session? older, CancellationToken cancellationToken)
    {
        if (older is not null)
        {
            await CloseAsync(older, CloseReason.TakenOver).ConfigureAwait(false);
            older.Connection.TellAndClose(CloseReason.TakenOver);
        }

        await session.FormerLeft.WaitAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <summary>
    /// Gives a session a resume token: when its connection breaks, the session is away for <see cref="SessionOptions.ResumeWindow"/>
    /// instead of ending, and a client that shows the token continues it (<see cref="ResumeAsync"/>).
    /// </summary>
    /// <remarks>
    /// <para>A connection is broken that ended as <see cref="CloseReason.PeerReset"/>, <see cref="CloseReason.SlowConsumer"/>,
    /// <see cref="CloseReason.IdleTimeout"/>, <see cref="CloseReason.HandlerFault"/>, <see cref="CloseReason.TransportFault"/>,
    /// <see cref="CloseReason.TlsFailed"/>, <see cref="CloseReason.FrameTimeout"/>, or <see cref="CloseReason.PeerClosed"/>. Every other
    /// end also ends the session. At most
    /// <see cref="ConnectionOptions.MaxConnections"/> sessions are away at once; beyond that a broken connection ends its session.</para>
    /// <para>The server keeps only the token's hash. The token is a secret like a password: send it over TLS.</para>
    /// </remarks>
    /// <param name="session">The session, usually just after <see cref="Bind"/>. Its earlier tokens become void.</param>
    /// <param name="closeIsLeave">
    /// Whether a client that closes its connection (<see cref="CloseReason.PeerClosed"/>) leaves for good. Default false: the client says
    /// so before, and the application calls <see cref="EndAsync"/>.
    /// </param>
    /// <returns>
    /// The token, 32 bytes. It is empty if sessions do not resume on this server, or if this one is away or has ended.
    /// </returns>
    public async ValueTask<ReadOnlyMemory<byte>> IssueResumeTokenAsync(Session session, bool closeIsLeave = false)
    {
        ArgumentNullException.ThrowIfNull(session);
        byte[] token = _resume?.Issue(session, closeIsLeave) ?? [];
        if (_storage is { } storage)
        {
            await storage.SaveAsync(_resume!, session).ConfigureAwait(false);
        }

        return token;
    }

    /// <summary>Continues a session on a new connection: the same object, with the same id, user and rooms.</summary>
    /// <remarks>
    /// <para>In this order: the session moves to the connection, whose own session ends without a notice; a connection from which the
    /// session was taken is told and closed as <see cref="CloseReason.TakenOver"/>; <paramref name="welcome"/> runs; the rooms return the
    /// member (<c>OnReturn</c>) and send to it again. So what <paramref name="welcome"/> sends comes before everything that the rooms
    /// send, and it can ask the rooms before they return the member.</para>
    /// <para>The token is used up and replaced by <see cref="Resumption.Token"/>. It works again, for the resume window at most, until
    /// <see cref="ConfirmResumeAsync"/>: the answer with the new token may be lost. If two connections show the token, the later one gets
    /// the session.</para>
    /// <para>A token that only the <see cref="IResumeStore"/> knows binds the connection's own session to the token's user instead
    /// (<see cref="Resumption.IsRestored"/>); an older session of that user is told and closed.</para>
    /// </remarks>
    /// <param name="connection">The client's new connection. Its session is anonymous.</param>
    /// <param name="token">The token that the client has shown; any bytes.</param>
    /// <param name="welcome">
    /// Sends the client its answer, with the new token. If it throws, the connection is closed as <see cref="CloseReason.HandlerFault"/>,
    /// and the session is away again. It may refuse the client: call <see cref="EndAsync"/> and close the connection.
    /// </param>
    /// <param name="framesReceived">
    /// The number of frames that the client has received on its former connection (<see cref="Connection.FramesReceived"/> at the client),
    /// for <see cref="SessionOptions.ReplayBytes"/>; <see langword="null"/> if it does not say. With both, a former connection that still
    /// looks open is aborted without being told. The number is the client's word: it decides only whether the client's own rooms say that
    /// it has missed nothing.
    /// </param>
    /// <returns>
    /// The session with its new token; <see langword="null"/>, and nothing has changed, if the token is unknown, void or late, or if
    /// <paramref name="connection"/> has ended.
    /// </returns>
    /// <exception cref="InvalidOperationException">
    /// The connection's session is bound to a user, or the connection is a client's. What <paramref name="welcome"/> throws is thrown here.
    /// </exception>
    /// <exception cref="ResumeStoreException">The token is not that of a session here, and the <see cref="IResumeStore"/> did not answer.
    /// Nothing has changed: tell the client to try again.</exception>
    public async ValueTask<Resumption?> ResumeAsync(
        Connection connection, ReadOnlyMemory<byte> token, Func<Resumption, ValueTask>? welcome = null, long? framesReceived = null)
    {
        ArgumentNullException.ThrowIfNull(connection);
        if (_resume is not { } table)
        {
            return null;
        }

        if (table.TryMove(connection, token.Span) is not { } move)
        {
            return await RestoreAsync(table, connection, token, welcome).ConfigureAwait(false);
        }

        CountEnd(); // of the connection's own session
        Array.ForEach(move.Attachments, attachment => attachment.OnSessionChanged(move.Own));
        _metrics.Add(Counter.SessionsResumed);
        var resumption = new Resumption(move.Session, move.Token, move.IsRestored);
        var link = new SessionLink(connection, IsAway: false);
        if (table.KeepsFrames && framesReceived is { } frames && !move.IsRetry)
        {
            // Nothing more may be sent on it, or the number would say nothing. The client has left it, so it is not told.
            move.Former.Abort(CloseReason.TakenOver);
            link = link with { Former = move.Former, FormerFrames = frames };
        }

        move.Former.TellAndClose(CloseReason.TakenOver);
        await WelcomeAsync(table, connection, resumption, welcome).ConfigureAwait(false);
        if (table.TryAnnounce(resumption.Session, link))
        {
            resumption.Session.TellAttachments();
        }

        return resumption;
    }

    /// <summary>
    /// Makes the token void with which a session resumed last. Call it when the client has shown that it has the new token, for example
    /// by its next message. Does nothing if there is none.
    /// </summary>
    /// <param name="connection">
    /// The connection on which the client has shown it. If its session has moved on to another connection, nothing changes.
    /// </param>
    public ValueTask ConfirmResumeAsync(Connection connection)
    {
        ArgumentNullException.ThrowIfNull(connection);
        return _resume?.TryConfirm(connection) is { } session && _storage is { } storage
            ? storage.SaveAsync(_resume, session)
            : default;
    }

    /// <summary>
    /// Ends a session now, here or away, for example at a logout: its tokens are void, and its rooms call <c>OnLeave</c>. Its connection
    /// stays open, so that you can answer; then close it. It ends at once; the task completes when the rooms have called <c>OnLeave</c>, so
    /// do not block in a room's turn to wait for it. In rooms that a cluster shares, <c>OnLeave</c> may run later, on another node.
    /// </summary>
    /// <param name="session">The session.</param>
    /// <param name="reason">Passed to <c>OnSessionEnded</c>.</param>
    /// <param name="cancellationToken">Ends the wait alone.</param>
    public async ValueTask EndAsync(
        Session session, CloseReason reason = CloseReason.LocalClose, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(session);
        await CloseAsync(session, reason).ConfigureAwait(false);
        await LeftWithFormer(session).WaitAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Sends one frame to all sessions, encoded once. Never waits.</summary>
    /// <param name="body">The frame's content; copied.</param>
    /// <param name="header">What the format writes beside it; fields that it does not have are left out.</param>
    /// <param name="delivery">What may become of the frame while something waits for a peer. Default <see cref="Delivery.Reliable"/>.
    /// </param>
    /// <param name="filter">Chooses the sessions; by default all of <see cref="All"/>. Called once for each, on this thread.</param>
    /// <returns>
    /// The number of sessions whose queue took the frame. At a full queue <see cref="ConnectionOptions.SlowConsumer"/> acts on that session
    /// alone.
    /// </returns>
    /// <remarks>
    /// Every session of <see cref="All"/> gets it at most once. What one thread broadcasts arrives in that order; broadcasts of several
    /// threads at a time may arrive in a different order at each session. The calling thread sends to each session that has nothing
    /// waiting, a system call each, so do not call it in a handler for thousands of sessions. For groups that broadcast often, use a room.
    /// It allocates nothing for a session. In a cluster it reaches the sessions of this node alone; <c>BroadcastAsync</c> of
    /// PlayChat.Cluster reaches those of all nodes.
    /// </remarks>
    /// <exception cref="ArgumentException">The body is larger than the format can carry, or contains its delimiter.</exception>
    public int Broadcast(
        ReadOnlySpan<byte> body, FrameHeader header = default, Delivery delivery = default, Func<Session, bool>? filter = null) =>
        Audience?.Send(body, header, delivery, filter) ?? 0;

    /// <summary>Sends one message to all sessions as the packet that carries it, encoded once. Never waits.</summary>
    /// <param name="message">
    /// What is sent; not kept. Filters of outgoing packets see it once, with the number of all connections as its recipients.
    /// </param>
    /// <param name="delivery">What may become of it while something waits for a peer. Default <see cref="Delivery.Reliable"/>.</param>
    /// <param name="filter">Chooses the sessions; by default all of <see cref="All"/>. Called once for each, on this thread.</param>
    /// <returns>The number of sessions whose queue took it; 0 when a packet filter stopped it.</returns>
    /// <inheritdoc cref="Broadcast" path="/remarks"/>
    /// <exception cref="InvalidOperationException">
    /// No packet of the server's set, or more than one, carries <typeparamref name="TMessage"/>.
    /// </exception>
    /// <exception cref="ArgumentException">The message is larger than the format can carry.</exception>
    public int BroadcastPacket<TMessage>(TMessage message, Delivery delivery = default, Func<Session, bool>? filter = null) =>
        Audience?.SendPacket(message, delivery, filter) ?? 0;

    /// <summary>Closes all sessions, after <c>OnClosing</c> has told each peer why.</summary>
    /// <param name="reason">Counted, logged and handed to <c>OnDisconnected</c>; not <see cref="CloseReason.None"/>.</param>
    /// <param name="filter">Chooses the sessions; by default all of <see cref="All"/>. Called once for each, on this thread.</param>
    /// <returns>The number of sessions that were open.</returns>
    /// <remarks>
    /// Does not wait for their ends: see <see cref="Connection.Close"/>. A session that connects meanwhile may stay open.
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="reason"/> is no reason.</exception>
    public int CloseAll(CloseReason reason, Func<Session, bool>? filter = null) =>
        reason != CloseReason.None && Enum.IsDefined(reason)
            ? Audience?.Close(reason, filter) ?? 0
            : throw new ArgumentOutOfRangeException(nameof(reason), reason, "It must say why the sessions are closed.");

    internal Session Open(Connection connection)
    {
        var session = new Session(connection);
        connection.Set(session);
        Interlocked.Increment(ref _count);
        _metrics.Add(Counter.SessionsOpened);
        return session;
    }

    /// <summary>The connection of a session has ended: the session is away, or ends as well.</summary>
    internal void OnConnectionEnded(Connection connection, CloseReason reason)
    {
        bool isAway = false;
        Session? session = _resume is { } table
            ? table.OnConnectionEnded(connection, reason, out isAway)
            : connection.Get<Session>();
        if (isAway)
        {
            session!.TellAttachments();
        }
        else if (session is not null)
        {
            _ = CloseAsync(session, reason, keepsToken: _resume?.HasBrokenAtStop(session, reason) == true).AsTask();
        }
    }

    /// <summary>Ends all sessions that are away; from now on a broken connection ends its session.</summary>
    internal void StopResuming()
    {
        foreach (Session session in _resume?.Stop() ?? [])
        {
            Close(session, CloseReason.ServerShutdown);
        }
    }

    /// <summary>
    /// Makes a session for a user of an earlier run. It is away until a client shows a token of the user, or the resume window has passed.
    /// </summary>
    /// <param name="user">The user; has no session.</param>
    /// <param name="former">A connection that has ended, for this session alone.</param>
    /// <returns><see langword="null"/> if sessions do not resume here, or as many are away as may be.</returns>
    internal Session? BeginAway(SessionUser user, Connection former)
    {
        Session session = Open(former);
        if (_resume?.TryBeginAway(session) == true)
        {
            Bind(session, user);
            return session;
        }

        Close(session, CloseReason.ServerShutdown);
        return null;
    }

    /// <summary>Ends a session, once.</summary>
    internal void Close(Session session, CloseReason reason = CloseReason.LocalClose) => _ = CloseAsync(session, reason).AsTask();

    private static Task LeftWithFormer(Session session) => Both(session.FormerLeft, session.Left);

    private static Task Both(Task first, Task second) => first.IsCompleted ? second : Task.WhenAll(first, second);

    /// <summary>Notes the sessions that a user has now. Under the gate.</summary>
    private void Set(SessionUser user, Session[] sessions)
    {
        _byName[user.Name] = sessions;
        _byId[user.Id] = sessions;
    }

    /// <summary>Ends a session, once, before it returns; completes when the resume store knows it. Never faults.</summary>
    private ValueTask CloseAsync(Session session, CloseReason reason, bool keepsToken = false)
    {
        // Ended first: a thread that binds it, or gives it a token, at this moment checks for the end afterwards, so one of the two
        // cleans up.
        if (session.End() is { } attachments)
        {
            CountEnd();
            _resume?.Forget(session);
            Unbind(session);
            // A server that stops, or loses its cluster, keeps the records: their users resume after the restart, or on another server.
            bool isRemoved = !keepsToken && reason is not (CloseReason.ServerShutdown or CloseReason.NodeFenced);
            // Before anybody is told: who knows that the session has ended finds its token nowhere.
            ValueTask removal =
                isRemoved && session.Resume?.StoredHashes is { Length: > 0 } stored ? _storage!.RemoveAsync(stored) : default;
            Array.ForEach(attachments, attachment => attachment.OnSessionChanged(session));
            Ended?.Invoke(session, reason);
            return removal;
        }

        return default;
    }

    /// <summary>Looks for the token in the resume store, and logs its user in on the connection's own session.</summary>
    private async ValueTask<Resumption?> RestoreAsync(
        ResumeTable table, Connection connection, ReadOnlyMemory<byte> token, Func<Resumption, ValueTask>? welcome)
    {
        if (_storage is null || await _storage.FindAsync(ResumeTable.HashOf(token.Span)).ConfigureAwait(false) is not { } record)
        {
            return null;
        }

        Session session = Session.Of(connection);
        foreach (Session present in FindAllOfUser(record.User.Name))
        {
            if (table.TryAdopt(present, record, token.Span))
            {
                return await ResumeAsync(connection, token, welcome).ConfigureAwait(false); // its rooms have kept its seats
            }

            if (present.Resume?.StoredHashes.Contains(record.TokenHash, StringComparer.Ordinal) == true)
            {
                return null; // the tokens of this session are in memory: the time of this one has passed
            }
        }

        if (session.User is not null || !TryBind(session, record.User, older: null))
        {
            // Another resume or login on the same connection was faster; or the user has as many sessions as it
            // may have, whose tokens are in memory.
            return null;
        }

        await session.FormerLeft.ConfigureAwait(false);
        byte[] next = table.Restore(session, token.Span, record);
        if (next.Length == 0)
        {
            return null; // its connection has ended
        }

        var resumption = new Resumption(session, next, isRestored: true);
        await WelcomeAsync(table, connection, resumption, welcome).ConfigureAwait(false);
        return resumption;
    }

    private async ValueTask WelcomeAsync(
        ResumeTable table, Connection connection, Resumption resumption, Func<Resumption, ValueTask>? welcome)
    {
        if (_storage is { } storage)
        {
            await storage.SaveAsync(table, resumption.Session).ConfigureAwait(false);
        }

        try
        {
            await (welcome?.Invoke(resumption) ?? default).ConfigureAwait(false);
        }
        catch
        {
            // The client has no answer, so it has to try again.
            connection.TellAndClose(CloseReason.HandlerFault);
            throw;
        }
    }

    private void CountEnd()
    {
        Interlocked.Decrement(ref _count);
        _metrics.Add(Counter.SessionsClosed);
    }

    private void Unbind(Session session)
    {
        if (session.User is { } user)
        {
            // Only if it is still one of the user's: a newer login may have taken it over.
            lock (_gate)
            {
                if (!_byName.TryGetValue(user.Name, out Session[]? present) || !present.Contains(session))
                {
                    return;
                }

                if (present.Length > 1)
                {
                    Set(user, Array.FindAll(present, other => other != session));
                }
                else
                {
                    _byName.TryRemove(user.Name, out _);
                    _byId.TryRemove(new KeyValuePair<long, Session[]>(user.Id, present)); // another user may have the same id
                }

                if (Both(_leaving.GetValueOrDefault(user.Name, Task.CompletedTask), LeftWithFormer(session))
                    is { IsCompleted: false } leaving)
                {
                    _leaving[user.Name] = leaving;
                    _ = leaving.ContinueWith(
                        (left, name) => _leaving.TryRemove(new KeyValuePair<string, Task>((string)name!, left)),
                        user.Name,
                        TaskScheduler.Default);
                }
            }
        }
    }
}
