namespace PlayChat.Chat.Accounts;

/// <summary>
/// Throttles password guessing: so many failures in a window, and then one more each time a share of the window has passed. Accounts
/// that an address registers are counted in the same way, for themselves. Thread-safe.
/// </summary>
/// <remarks>
/// <para>Three things are counted: failures of an address with one name, of an address with all names, and of a name from all addresses
/// (<see cref="Addresses"/> times as many). Each is a debt that a failure raises by its share of the window and that time takes down;
/// while it is higher than the window less one share, nothing is checked. An attempt that has to wait raises nothing, so no client waits
/// for longer than one share.</para>
/// <para>An attacker must not be able to lock a player out. One address alone cannot fill a name's count: its own with that name holds it
/// below. When many addresses do, those from which the name has logged in before are judged by their own failures alone. From any other
/// address the player competes with the attackers for an attempt each share, until they cease.</para>
/// <para>All is in memory: a restart forgets it.</para>
/// </remarks>
internal sealed class LoginThrottle(ServerSettings settings, TimeProvider time)
{
    private const int Addresses = 4;

    // A forgotten entry costs its owner nothing unless the name is under attack.
    private static readonly TimeSpan s_familiarFor = TimeSpan.FromDays(30);

    private static readonly TimeSpan s_registrationWindow = TimeSpan.FromMinutes(1);

    private readonly ExpiringTable<LoginOrigin> _pairs = new(settings.Accounts.FailedLoginEntries, time);
    private readonly ExpiringTable<string> _names = new(settings.Accounts.FailedLoginEntries, time);
    private readonly ExpiringTable<IPAddress> _addresses = new(settings.Accounts.FailedLoginEntries, time);
    private readonly RateTable<IPAddress> _registered = new(s_registrationWindow, settings.Accounts.FailedLoginEntries, time);
    private readonly ExpiringTable<LoginOrigin> _familiar = new(settings.Accounts.FailedLoginEntries, time);

    // Read for each login, so that they may change.
    private TimeSpan Window => settings.Accounts.FailedLoginWindow;

    private TimeSpan PairShare => Window / settings.Accounts.FailedLoginsPerName;

    private TimeSpan NameShare => PairShare / Addresses;

    private TimeSpan AddressShare => Window / settings.Accounts.FailedLoginsPerAddress;

    /// <summary>How long the peer has to wait until a password of it is checked; 0 when it need not.</summary>
    public TimeSpan GetWait(LoginOrigin origin)
    {
        TimeSpan wait = Max(GetWait(_addresses, origin.Network, AddressShare), GetWait(_pairs, origin, PairShare));
        return IsFamiliar(origin) ? wait : Max(wait, GetWait(_names, origin.NameKey, NameShare));
    }

    /// <summary>How much a login is trusted before its password is checked.</summary>
    public LoginStanding GetStanding(LoginOrigin origin) =>
        IsFamiliar(origin) ? LoginStanding.Familiar
        : _addresses.Remaining(origin.Network, Window) > TimeSpan.Zero ? LoginStanding.Suspect
        : LoginStanding.New;

    /// <summary>Counts an account that is about to be registered, unless its address has to wait.</summary>
    /// <returns>How long it has to wait; 0 when it has been counted, or need not be: this machine itself has no limit.</returns>
    public TimeSpan TakeRegistration(LoginOrigin origin)
    {
        int limit = settings.Accounts.RegistrationsPerMinute;
        return limit == 0 || IPAddress.IsLoopback(origin.Network) ? TimeSpan.Zero : _registered.Take(origin.Network, limit);
    }

    /// <summary>Counts a login that was refused, whether there is such a name or not.</summary>
    public void OnFailed(LoginOrigin origin)
    {
        _addresses.Extend(origin.Network, AddressShare, Window);
        _pairs.Extend(origin, PairShare, Window);
        _names.Extend(origin.NameKey, NameShare, Window);
    }

    /// <summary>Notes that the password was right.</summary>
    public void OnSucceeded(LoginOrigin origin)
    {
        // The address' other failures stay: the owner of one account must not be able to try others endlessly in between.
        _pairs.Remove(origin);
        _familiar.Extend(origin, s_familiarFor, s_familiarFor);
    }

    private bool IsFamiliar(LoginOrigin origin) => _familiar.Remaining(origin) > TimeSpan.Zero;

    private static TimeSpan Max(TimeSpan a, TimeSpan b) => a > b ? a : b;

    // A debt is at most the window: after the window was shortened, the first look at an older debt reduces it. So no wait is longer
    // than a share, and after a share the next password is checked.
    private TimeSpan GetWait<TKey>(ExpiringTable<TKey> debts, TKey key, TimeSpan share)
        where TKey : notnull
    {
        TimeSpan window = Window;
        return Max(debts.Remaining(key, window) - (window - share), TimeSpan.Zero);
    }
}
