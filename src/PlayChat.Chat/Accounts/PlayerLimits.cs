namespace PlayChat.Chat.Accounts;

/// <summary>Limits how often a player does what costs the server much, whichever connection it comes on. Thread-safe.</summary>
/// <remarks>A limit per connection would start anew with each login. A request that has to wait has been answered.</remarks>
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
    public bool TryTakeRoom(in PacketContext context) =>
        _settings.RoomsPerMinute == 0 || TryTake(context, _rooms, _roomsOfNetwork, _settings.RoomsPerMinute);

    /// <summary>Counts the password of a room that a player sends.</summary>
    public bool TryTakeRoomPassword(in PacketContext context) =>
        TryTake(context, _passwords, _passwordsOfNetwork, RoomPasswordsPerMinute);

    /// <summary>Counts a report of a message.</summary>
    public bool TryTakeReport(in PacketContext context) => TryTake(context, _reports, _reportsOfNetwork, ReportsPerHour);

    /// <summary>Counts a page of rooms or of history that a player asks for.</summary>
    public bool TryTakePage(in PacketContext context) =>
        _settings.PagesPerSecond == 0 || TryCount(context, _pages.Take(context.Session.User!.Id, _settings.PagesPerSecond));

    /// <summary>Counts a search.</summary>
    public bool TryTakeSearch(in PacketContext context) =>
        _settings.SearchesPerMinute == 0 || TryCount(context, _searches.Take(context.Session.User!.Id, _settings.SearchesPerMinute));

    private bool TryTake(in PacketContext context, RateTable<long> ofPlayers, RateTable<IPAddress> ofNetworks, int limit)
    {
        TimeSpan wait = ofPlayers.Take(context.Session.User!.Id, limit);
        IPAddress network = ClientNetwork.Of(context.Connection.RemoteEndPoint);
        if (wait == TimeSpan.Zero && !IPAddress.IsLoopback(network))
        {
            wait = ofNetworks.Take(network, limit * PlayersOfNetwork);
        }

        return TryCount(context, wait);
    }

    private bool TryCount(in PacketContext context, TimeSpan wait)
    {
        if (wait > TimeSpan.Zero)
        {
            Interlocked.Increment(ref _refused);
            context.FailForNow(wait);
        }

        return wait <= TimeSpan.Zero;
    }
}
