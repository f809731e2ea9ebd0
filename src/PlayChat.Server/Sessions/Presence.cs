using PlayChat.Core.Sessions;

namespace PlayChat.Server.Sessions;

/// <summary>
/// A player who has logged in: on a session, or away for a while because its connection broke. The rooms know members by it, so that a
/// player who comes back on another session is the same member. Thread-safe; it ends once.
/// </summary>
/// <param name="user">Who it is.</param>
/// <param name="announcesLogout">The client says when it goes for good, so that any other end is a break.</param>
/// <param name="maxRooms">Rooms it may be in.</param>
internal sealed class Presence(SessionUser user, bool announcesLogout, int maxRooms)
{
    private readonly object _gate = new();
    private readonly HashSet<IPresenceRoom> _rooms = []; // guarded by _gate
    private volatile Session? _session; // written under _gate
    private volatile bool _isEnded; // written under _gate

    public SessionUser User => user;

    public bool AnnouncesLogout => announcesLogout;

    /// <summary>Whether the player has gone for good.</summary>
    public bool IsEnded => _isEnded;

    /// <summary>The hash of the token with which the player may come back. The registry's.</summary>
    public string TokenHash { get; set; } = "";

    /// <summary>
    /// That of the token with which it came back last, as long as it is not known whether the client has the next one. The registry's.
    /// </summary>
    public string? UsedHash { get; set; }

    /// <summary>When that one was used first, in ticks of the clock. The registry's.</summary>
    public long UsedAt { get; set; }

    /// <summary>
    /// Since when the player has been away, in ticks of the clock; <see langword="null"/> while it is here. The registry's.
    /// </summary>
    public long? AwaySince { get; set; }

    /// <summary>That of a session which has logged in or resumed; it may have moved on to a newer session since.</summary>
    public static Presence? Of(Session session) => session.Connection.Get<Presence>();

    /// <summary>Whether a session is the player's now.</summary>
    public bool IsOn(Session session) => ReferenceEquals(_session, session);

    /// <summary>Moves the player to a session, or to none while it is away.</summary>
    /// <returns>The session it was on.</returns>
    public Session? MoveTo(Session? session)
    {
        lock (_gate)
        {
            Session? before = _session;
            _session = session;
            return before;
        }
    }

    /// <summary>Notes that the player enters a room. Only its current session can.</summary>
    public AddRoomResult TryAdd(IPresenceRoom room, Session session)
    {
        lock (_gate)
        {
            if (_isEnded || _session != session)
            {
                return AddRoomResult.NotCurrent;
            }

            if (_rooms.Count >= maxRooms)
            {
                return AddRoomResult.TooMany;
            }

            _rooms.Add(room);
            return AddRoomResult.Added;
        }
    }

    public void Remove(IPresenceRoom room)
    {
        lock (_gate)
        {
            _rooms.Remove(room);
        }
    }

    /// <summary>The rooms it is in, as of now.</summary>
    public IPresenceRoom[] GetRooms()
    {
        lock (_gate)
        {
            return [.. _rooms];
        }
    }

    /// <summary>
    /// Ends it, and has its rooms tell the others. Those in which the session is still a member hear of it twice, and act once.
    /// </summary>
    public void End()
    {
        IPresenceRoom[] rooms;
        lock (_gate)
        {
            _isEnded = true;
            _session = null;
            rooms = [.. _rooms];
        }

        foreach (IPresenceRoom room in rooms)
        {
            room.PostDeparture(this);
        }
    }
}
