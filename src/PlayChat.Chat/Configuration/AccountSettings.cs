using PlayChat.Options;

namespace PlayChat.Chat.Configuration;

/// <summary>Section <c>Accounts</c>.</summary>
internal sealed class AccountSettings
{
    [Option("Register an unknown name at its first login.", Reloadable = true)]
    public bool AutoRegister { get; set; } = true;

    [Option(
        "Whether accounts without password log in by name alone. With auto they do while every endpoint is a loopback address and none has "
            + "ProxyProtocol:TrustedSources or TrustedProxies. Behind a proxy that does not tell its clients' addresses, set false.",
        LowerCase = true,
        Reloadable = true,
        Why = "Anyone on the network could take any name that has no password.")]
    public AutoSwitch AllowPasswordless { get; set; }

    [Option(
        "Characters that a new password has at least: one that an operator sets, or that a player registers with.",
        Min = 1,
        Max = 128,
        Reloadable = true,
        WhenReached = "The registration is answered PASSWORD_TOO_SHORT; the command changes nothing.",
        Why = "Short passwords are guessed soon, however slowly.")]
    public int MinPasswordLength { get; set; } = 8;

    [Option(
        "How long a device stays logged in after its last login, if its user asked for it. Ten devices of a player do; another one "
            + "replaces the one that was used longest ago. 00:00:00 turns it off.",
        Min = "00:00:00",
        Max = "365.00:00:00",
        Reloadable = true,
        Why = "A month is how long people stay away from a chat and still expect to be known.")]
    public TimeSpan KeepLogin { get; set; } = TimeSpan.FromDays(30);

    [Option(
        "How often the server reads the bans from its database; it also does so at SIGHUP.",
        Min = "00:00:01",
        Max = "01:00:00",
        Reloadable = true)]
    public TimeSpan BanInterval { get; set; } = TimeSpan.FromSeconds(10);

    [Option("PBKDF2 iterations of new password hashes.", Min = 1_000, Max = 10_000_000)]
    public int PasswordIterations { get; set; } = 600_000;

    [Option(
        "Password checks that run at once, each on a processor; 0 is one less than there are processors.", Min = 0, Max = 1024)]
    public int PasswordConcurrency { get; set; }

    [Option(
        "Password checks that may wait or run.",
        Min = 1,
        Max = 100_000,
        WhenReached = "A login displaces a lower-priority one, or is answered SERVER_BUSY. Players known at their address (IPv6: one /64 "
            + "network) have the highest priority, addresses with failed logins the lowest, and addresses take turns. Four logins with one "
            + "name from one address may wait, and eight from all addresses where that name is known.",
        SeenIn = "`logins pending`, `logins refused` in the figures",
        Reloadable = true)]
    public int MaxPendingPasswords { get; set; } = 1_000;

    [Option(
        "Accounts that may be registered from one address (IPv6: one /64 network) in a minute, and as many at once; a login that only "
            + "asks whether the name exists (NAME_UNKNOWN) counts as well. 0 is no limit, and this machine itself has none.",
        Min = 0,
        Max = 1_000_000,
        WhenReached = "The login is answered LOGIN_THROTTLED, with the time to wait.",
        SeenIn = "the log (Debug), `logins refused` in the figures",
        Reloadable = true)]
    public int RegistrationsPerMinute { get; set; } = 120;

    [Option(
        "Logins with one name that may fail from one address in a window, and four times as many from all addresses.",
        Min = 1,
        Max = 1_000_000,
        WhenReached = "The login is answered LOGIN_THROTTLED, with the time to wait.",
        SeenIn = "the log (Debug), `logins refused` in the figures",
        Reloadable = true)]
    public int FailedLoginsPerName { get; set; } = 5;

    [Option(
        "Logins with any name that may fail from one address (IPv6: one /64 network) in a window.",
        Min = 1,
        Max = 1_000_000,
        WhenReached = "The login is answered LOGIN_THROTTLED, with the time to wait.",
        SeenIn = "the log (Debug), `logins refused` in the figures",
        Reloadable = true)]
    public int FailedLoginsPerAddress { get; set; } = 50;

    [Option(
        "How long failed logins count; after its share of the window each allows a further one.",
        Min = "00:00:01",
        Max = "1.00:00:00",
        Reloadable = true)]
    public TimeSpan FailedLoginWindow { get; set; } = TimeSpan.FromMinutes(5);

    [Option(
        "Names and addresses whose failed logins are remembered.",
        Min = 1,
        Max = 10_000_000,
        WhenReached = "The server forgets those that count least.")]
    public int FailedLoginEntries { get; set; } = 100_000;
}
