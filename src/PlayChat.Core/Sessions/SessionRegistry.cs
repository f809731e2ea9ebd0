using System.Collections.Concurrent;
using PlayChat.Core.Connections;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Framing;

namespace PlayChat.Core.Sessions;

/// <summary>The sessions of a server, by id and by user. Thread-safe.</summary>
public sealed class SessionRegistry
{
    private readonly ConcurrentDictionary<string, Session> _byUser = new(StringComparer.Ordinal);
    private readonly ServerMetrics _metrics;
    private readonly Func<long, Connection?>? _findConnection;
    private int _count;

    /// <summary>Makes an empty one.</summary>
    /// <param name="metrics">Where sessions are counted.</param>
    /// <param name="findConnection">
    /// Finds a connection by its id, so that there is no second table of them; a registry without it finds no session by its id.
    /// </param>
    internal SessionRegistry(ServerMetrics metrics, Func<long, Connection?>? findConnection = null)
    {
        _metrics = metrics;
        _findConnection = findConnection;
    }

    /// <summary>All sessions, anonymous ones included.</summary>
    /// <remarks>
    /// Enumerates the live table, without a copy and without a lock, while sessions come and go. It gives each session that is there the
    /// whole time exactly once, in no order. It gives a session that comes or goes meanwhile at most once, maybe before the handlers of
    /// <c>OnConnected</c> have run.
    /// </remarks>
    public IEnumerable<Session> All => Audience?.All ?? [];

    /// <summary>The same sessions, to send to them; a registry without it has none.</summary>
    internal SessionAudience? Audience { get; init; }

    /// <summary>How many there are, anonymous ones included.</summary>
    public int Count => Volatile.Read(ref _count);

    /// <summary>Looks one up by its id.</summary>
    public Session? Find(long id) => _findConnection?.Invoke(id)?.Get<Session>() is { HasEnded: false } session ? session : null;

    /// <summary>Finds the session of a user by name; names are compared letter for letter.</summary>
    public Session? FindUser(string name) => _byUser.GetValueOrDefault(name);

    /// <summary>Binds a session to a user whose identity was checked. A session is bound once.</summary>
    /// <param name="session">Of a connection that is logging in.</param>
    /// <param name="user">Who it is.</param>
    /// <returns>The session that the user had before, if any: it is no longer found, and the caller tells and closes it.</returns>
    /// <exception cref="InvalidOperationException">The session is bound already.</exception>
    public Session? Bind(Session session, SessionUser user)
    {
        ArgumentNullException.ThrowIfNull(session);
        ArgumentNullException.ThrowIfNull(user);
        if (session.User is not null)
        {
            throw new InvalidOperationException($"Session {session.Id} is bound to {session.User.Name} already.");
        }

        session.SetUser(user);
        Session? before = null;
        _byUser.AddOrUpdate(
            user.Name,
            (_, added) =>
            {
                before = null; // a session that was found before has gone meanwhile
                return added;
            },
            (_, existing, added) =>
            {
                before = existing;
                return added;
            },
            session);
        if (session.HasEnded)
        {
            Unbind(session); // its connection ended meanwhile
        }

        return before;
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
    /// It allocates nothing for a session.
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

    internal void Close(Session session)
    {
        // Ended first: a thread that binds it at this moment checks for the end afterwards, so one of the two unbinds it.
        if (session.End() is { } attachments)
        {
            Interlocked.Decrement(ref _count);
            _metrics.Add(Counter.SessionsClosed);
            Unbind(session);
            foreach (ISessionAttachment attachment in attachments)
            {
                attachment.OnSessionEnded(session);
            }
        }
    }

    private void Unbind(Session session)
    {
        if (session.User is { } user)
        {
            // Only if it is still this session's: a newer login may have taken the name.
            _byUser.TryRemove(new KeyValuePair<string, Session>(user.Name, session));
        }
    }
}
