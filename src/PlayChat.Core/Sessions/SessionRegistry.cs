using System.Collections.Concurrent;
using PlayChat.Core.Connections;
using PlayChat.Core.Diagnostics;

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
