namespace PlayChat.Core.Rooms;

/// <summary>The members of a room: their sessions, their connections and the capacity.</summary>
/// <remarks>
/// <para>Invariant: the first <see cref="Count"/> entries of <c>_sessions</c> and <c>_connections</c> are the members, in the same
/// places, and <c>_places</c> maps each session to its place. Removing a member moves the last one into its place. The connection of a
/// member is the one that the room has learned of; a session that resumes has its new one before that.</para>
/// <para>Only the room's turn uses it, except <see cref="Count"/>, which any thread may read.</para>
/// </remarks>
/// <param name="room">The object that each member's session notifies when it changes.</param>
/// <param name="capacity">The most members the room takes, spectators included.</param>
/// <param name="maxRooms">The most rooms that a member may be in, this one included.</param>
internal sealed class RoomMembership(ISessionAttachment room, int capacity, int maxRooms = int.MaxValue)
{
    private readonly Dictionary<Session, int> _places = [];
    private Session[] _sessions = [];
    private Connection[] _connections = []; // separate from the sessions: a flush reads nothing else of a member
    private HashSet<Session>? _away; // from the first member that becomes away on
    private int _count;

    /// <summary>The number of members: exact in the turn, slightly out of date on other threads.</summary>
    internal int Count => Volatile.Read(ref _count);

    internal bool IsFull => _count >= capacity;

    /// <summary>The members' sessions; valid until the next change.</summary>
    internal ReadOnlySpan<Session> Sessions => _sessions.AsSpan(0, _count);

    /// <summary>The members' connections, in the same places as <see cref="Sessions"/>; valid until the next change.</summary>
    internal ReadOnlySpan<Connection> Connections => _connections.AsSpan(0, _count);

    internal bool Contains(Session session) => _places.ContainsKey(session);

    /// <summary>Returns the place of a member, or -1.</summary>
    internal int PlaceOf(Session session) => _places.TryGetValue(session, out int place) ? place : -1;

    /// <summary>Whether the room knows that a member is away.</summary>
    internal bool IsAway(Session member) => _away?.Contains(member) is true;

    internal void SetAway(Session member) => (_away ??= []).Add(member);

    /// <summary>Gives a member that was away its new connection.</summary>
    internal void SetReturned(int place, Connection connection)
    {
        _away?.Remove(_sessions[place]);
        _connections[place] = connection;
    }

    /// <summary>Attaches a session to the room if it may become a member. The caller then calls <see cref="Add"/>.</summary>
    /// <returns><see cref="JoinStatus.Joined"/> if the session is attached, else the reason why not.</returns>
    internal JoinStatus TryAttach(Session session)
    {
        if (Contains(session))
        {
            return JoinStatus.AlreadyMember;
        }

        if (IsFull)
        {
            return JoinStatus.Full;
        }

        return session.TryAttach(room, maxRooms) ? JoinStatus.Joined
            : session.HasEnded ? JoinStatus.SessionEnded
            : JoinStatus.TooManyRooms;
    }

    /// <summary>Adds a session that <see cref="TryAttach"/> has attached.</summary>
    internal void Add(Session session)
    {
        if (_count == _sessions.Length)
        {
            Array.Resize(ref _sessions, Math.Max(4, _count * 2));
            Array.Resize(ref _connections, _sessions.Length);
        }

        _places[session] = _count;
        _sessions[_count] = session;
        _connections[_count] = session.Announced.Connection; // after the attachment: a later change is posted to the room
        Volatile.Write(ref _count, _count + 1);
    }

    /// <summary>Notes that the room has handled the end of a session.</summary>
    internal void LetGo(Session session) => session.LetGo(room);

    /// <summary>Removes the member at a place and detaches its session. The last member then has this place.</summary>
    internal void RemoveAt(int place)
    {
        Session session = Sessions[place];
        _places.Remove(session);
        _away?.Remove(session);
        session.Detach(room);
        int last = _count - 1;
        if (place != last)
        {
            _sessions[place] = _sessions[last];
            _connections[place] = _connections[last];
            _places[_sessions[place]] = place;
        }

        _sessions[last] = null!;
        _connections[last] = null!;
        Volatile.Write(ref _count, last);
    }
}
