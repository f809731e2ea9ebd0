namespace PlayChat.Chat.Accounts;

/// <summary>Limits how often a player does what costs the server much, whichever connection it comes on. Thread-safe.</summary>
/// <remarks>A limit per connection would start anew with each login.</remarks>
internal sealed class PlayerLimits(ServerSettings settings, TimeProvider time)
{
    private const int Capacity = 100_000;

    // A network may have many players, but a single host must not get the limit as often as it registers players.
    private const int PlayersOfNetwork = 10;

    // Each costs as much of a processor as a login, and is a guess unless it is right.
    private const int RoomPasswordsPerMinute = 10;

    // A room has so many open reports that a single player should not take the places of the others.
    private const int ReportsPerHour = 30;

    private readonly SessionSettings _settings = settings.Sessions;
    private readonly RateTable<long> _rooms = new(TimeSpan.FromMinutes(1), Capacity, time);
    private readonly RateTable<IPAddress> _roomsOfNetwork = new(TimeSpan.FromMinutes(1), Capacity, time);
    private readonly RateTable<long> _pages = new(TimeSpan.FromSeconds(1), Capacity, time);
    private readonly RateTable<long> _searches = new(TimeSpan.FromMinutes(1), Capacity, time);
    private readonly RateTable<long> _passwords = new(TimeSpan.FromMinutes(1), Capacity, time);
    private readonly RateTable<IPAddress> _passwordsOfNetwork = new(TimeSpan.FromMinutes(1), Capacity, time);
    private readonly RateTable<long> _reports = new(TimeSpan.FromHours(1), Capacity, time);
    private readonly RateTable<IPAddress> _reportsOfNetwork = new(TimeSpan.FromHours(1), Capacity, time);
    private long _refused;

    /// <summary>Requests that were refused.</summary>
    public long Refused => Interlocked.Read(ref _refused);

    /// <summary>Counts a room that a player is about to create.</summary>
    /// <returns>How long the player has to wait; 0 when the room has been counted.</returns>
    public TimeSpan TakeRoom(Session session)
    {
        if (_settings.RoomsPerMinute == 0)
        {
            return TimeSpan.Zero;
        }

        return Take(session, _rooms, _roomsOfNetwork, _settings.RoomsPerMinute);
    }

    /// <summary>Counts the password of a room that a player sends.</summary>
    /// <returns>How long the player has to wait; 0 when the password has been counted.</returns>
    public TimeSpan TakeRoomPassword(Session session) => Take(session, _passwords, _passwordsOfNetwork, RoomPasswordsPerMinute);

    /// <summary>Counts a report of a message.</summary>
    /// <returns>How long the player has to wait; 0 when the report has been counted.</returns>
    public TimeSpan TakeReport(Session session) => Take(session, _reports, _reportsOfNetwork, ReportsPerHour);

    /// <summary>Counts a page of rooms or of history that a player asks for.</summary>
    /// <returns>How long the player has to wait; 0 when the page has been counted.</returns>
    public TimeSpan TakePage(Session session) =>
        _settings.PagesPerSecond == 0 ? TimeSpan.Zero : Count(_pages.Take(session.User!.Id, _settings.PagesPerSecond));

    /// <summary>Counts a search.</summary>
    /// <returns>How long the player has to wait; 0 when the search has been counted.</returns>
    public TimeSpan TakeSearch(Session session) =>
        _settings.SearchesPerMinute == 0 ? TimeSpan.Zero : Count(_searches.Take(session.User!.Id, _settings.SearchesPerMinute));

    private TimeSpan Take(Session session, RateTable<long> ofPlayers, RateTable<IPAddress> ofNetworks, int limit)
    {
        TimeSpan wait = ofPlayers.Take(session.User!.Id, limit);
        IPAddress network = ClientNetwork.Of(session.Connection.RemoteEndPoint);
        if (wait == TimeSpan.Zero && !IPAddress.IsLoopback(network))
        {
            wait = ofNetworks.Take(network, limit * PlayersOfNetwork);
        }

        return Count(wait);
    }

    private TimeSpan Count(TimeSpan wait)
    {
        if (wait > TimeSpan.Zero)
        {
            Interlocked.Increment(ref _refused);
        }

        return wait;
    }
}
