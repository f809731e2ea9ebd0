using System.Globalization;
using PlayChat.Core.Connections;

namespace PlayChat.Recording;

/// <summary>The sessions of a recording, which stand-ins are in the replay.</summary>
internal sealed class ReplaySessions(ConnectionServices services)
{
    private readonly Dictionary<int, StandIn> _byNumber = [];
    private readonly Dictionary<long, Session> _byId = []; // of the members at the start, until the recording names them by a number
    private readonly Dictionary<Session, int> _numbers = [];

    /// <summary>Makes the session of a member at the start.</summary>
    internal Session Begin(RecordingHeader.SessionRecord about)
    {
        Session session = Make(about.Id, about.UserId is { } user ? new SessionUser(user, about.UserName!) : null);
        _byId[about.Id] = session;
        return session;
    }

    /// <summary>Reads a session and its number.</summary>
    internal void Define(EntryReader entry)
    {
        entry.ReadKind();
        int number = (int)entry.ReadNumber();
        (long id, long connection) = (entry.ReadNumber(), entry.ReadNumber());
        SessionUser? user = entry.ReadBoolean() ? new SessionUser(entry.ReadNumber(), entry.ReadText()) : null;
        if (!_byNumber.TryGetValue(number, out StandIn? known))
        {
            Session session = _byId.Remove(id, out Session? member) ? member : Make(id, user);
            _byNumber[number] = known = new StandIn(session) { Connection = connection };
            _numbers[session] = number;
        }

        if (user is not null)
        {
            known.Session.SetUser(user);
        }
    }

    internal Session Find(int number) => _byNumber.TryGetValue(number, out StandIn? known)
        ? known.Session
        : throw new InvalidDataException("The recording is damaged: it names an unknown session.");

    /// <summary>The number of a session; -1 for one that the recording has not named so far.</summary>
    internal int NumberOf(Session session) => _numbers.GetValueOrDefault(session, -1);

    internal int[] NumbersOf(ReadOnlySpan<Session> sessions)
    {
        int[] numbers = new int[sessions.Length];
        for (int i = 0; i < numbers.Length; i++)
        {
            numbers[i] = NumberOf(sessions[i]);
        }

        return numbers;
    }

    internal string Describe(int number) => _byNumber.TryGetValue(number, out StandIn? known)
        ? string.Create(
            CultureInfo.InvariantCulture,
            $"session {known.Session.Id}{(known.Session.User is { } user ? $" ({user.Name})" : "")}")
        : "another session";

    /// <summary>Changes a session as it was recorded.</summary>
    internal Session Change(int number, SessionChange change, long connection)
    {
        Session session = Find(number);
        StandIn known = _byNumber[number];
        switch (change)
        {
            case SessionChange.Ended:
                session.End();
                break;
            case SessionChange.Away:
                SetAway(session);
                break;
            default:
                if (session.IsAway || known.Connection != connection)
                {
                    var next = new Connection(new StandInLink(), services);
                    next.Set(session);
                    session.MoveTo(next);
                    session.Resume!.SetReturned(new SessionLink(next, IsAway: false));
                    session.Resume.AwaySince = null;
                }

                break;
        }

        known.Connection = connection;
        return session;
    }

    internal static void SetAway(Session session)
    {
        session.Resume!.SetLost();
        session.Resume.AwaySince = 0;
    }

    private Session Make(long id, SessionUser? user)
    {
        var connection = new Connection(new StandInLink(), services);
        var session = new Session(connection, id);
        session.Resume = new ResumeState(session);
        connection.Set(session);
        if (user is not null)
        {
            session.SetUser(user);
        }

        return session;
    }

    private sealed class StandIn(Session session)
    {
        internal Session Session => session;

        internal long Connection { get; set; } // as it was recorded
    }
}
