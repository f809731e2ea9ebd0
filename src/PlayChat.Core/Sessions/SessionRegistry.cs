using System.Collections.Concurrent;
using PlayChat.Core.Connections;
using PlayChat.Core.Diagnostics;

namespace PlayChat.Core.Sessions;

/// <summary>The sessions of a server, by id and by user. Thread-safe.</summary>
public sealed class SessionRegistry
{
    private readonly ConcurrentDictionary<long, Session> _byId = new();
    private readonly ConcurrentDictionary<string, Session> _byUser = new(StringComparer.Ordinal);
    private readonly ServerMetrics _metrics;

    internal SessionRegistry(ServerMetrics metrics)
    {
        _metrics = metrics;
    }

    /// <summary>How many there are, anonymous ones included.</summary>
    public int Count => _byId.Count;

    /// <summary>Looks one up by its id.</summary>
    public Session? Find(long id) => _byId.GetValueOrDefault(id);

    /// <summary>Looks up who is logged in under a name; names are compared letter for letter.</summary>
    public Session? FindUser(string name) => _byUser.GetValueOrDefault(name);

    /// <summary>Binds a session to a user who has proved who he is. A session is bound once.</summary>
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
        if (!_byId.ContainsKey(session.Id))
        {
            Unbind(session); // its connection ended meanwhile
        }

        return before;
    }

    internal Session Open(Connection connection)
    {
        var session = new Session(connection);
        connection.Owner = session;
        _byId[session.Id] = session;
        _metrics.Add(Counter.SessionsOpened);
        return session;
    }

    internal void Close(Session session)
    {
        if (_byId.TryRemove(session.Id, out _))
        {
            _metrics.Add(Counter.SessionsClosed);
            Unbind(session);
            session.End();
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
