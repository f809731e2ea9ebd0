using PlayChat.Core.Connections;
using PlayChat.Core.Transport;

namespace PlayChat.Recording;

/// <summary>The sessions of a recording, which stand-ins are in the replay.</summary>
internal sealed class ReplaySessions(ConnectionServices services)
{
    private readonly Dictionary<long, (Session Session, long Connection)> _byNumber = []; // the connection as it was recorded
    private readonly Dictionary<long, Session> _byId = []; // of the members at the start, until the recording names them by a number
    private readonly Dictionary<Session, int> _numbers = [];

    /// <summary>Makes the session of a member at the start.</summary>
    internal Session Begin(RecordingHeader.Member about) =>
        _byId[about.Session] = Make(about.Session, about.UserId is { } user ? new SessionUser(user, about.UserName!) : null);

    /// <summary>Takes a session and its number, or its user.</summary>
    internal void Define(Entry entry)
    {
        (long number, long id) = (entry.Numbers[0], entry.Numbers[1]);
        SessionUser? user =
            entry.Numbers[3] != 0 ? new SessionUser(entry.Numbers[4], Encoding.UTF8.GetString(entry.Content)) : null;
        if (!_byNumber.TryGetValue(number, out (Session Session, long) known))
        {
            known.Session = _byId.Remove(id, out Session? member) ? member : Make(id, user);
            _byNumber[number] = (known.Session, entry.Numbers[2]);
            _numbers[known.Session] = (int)number;
        }

        if (user is not null)
        {
            known.Session.SetUser(user);
        }
    }

    internal Session Find(long number) => _byNumber.TryGetValue(number, out (Session Session, long) known)
        ? known.Session
        : throw new InvalidDataException("The recording is damaged: it names an unknown session.");

    /// <summary>The number of a session; -1 for one that the recording has not named so far.</summary>
    internal int NumberOf(Session session) => _numbers.GetValueOrDefault(session, -1);

    /// <summary>Changes a session as it was recorded.</summary>
    internal Session Change(long number, bool hasEnded, bool isAway, long connection)
    {
        Session session = Find(number);
        if (hasEnded)
        {
            session.End();
        }
        else if (isAway)
        {
            SetAway(session);
        }
        else if (session.IsAway || _byNumber[number].Connection != connection)
        {
            Connection next = Connect();
            next.Set(session);
            session.MoveTo(next);
            session.Resume!.SetReturned(new SessionLink(next, IsAway: false));
            session.Resume.AwaySince = null;
        }

        _byNumber[number] = (session, connection);
        return session;
    }

    internal static void SetAway(Session session)
    {
        session.Resume!.SetLost();
        session.Resume.AwaySince = 0;
    }

    private Session Make(long id, SessionUser? user)
    {
        Connection connection = Connect();
        var session = new Session(connection, id);
        session.Resume = new ResumeState(session);
        connection.Set(session);
        if (user is not null)
        {
            session.SetUser(user);
        }

        return session;
    }

    private Connection Connect() => new(new StreamConnection(Stream.Null, static () => { }), services);
}
