using PlayChat.Chat.Extensions;
using PlayChat.Storage.Passwords;

namespace PlayChat.Chat.Accounts;

/// <summary>Decides about logins: finds or registers the account and checks the password. Thread-safe.</summary>
/// <remarks>
/// An unknown name, a wrong password, a disabled account and one without password are refused alike: by the same answer, after the
/// same work, counted the same way.
/// </remarks>
internal sealed class AccountLogin(
    ServerSettings settings, IChatStore store, PasswordVerifier passwords, LoginThrottle throttle, BanList bans, LoginTokens tokens,
    TimeProvider time, OwnLogin? own = null)
{
    private static readonly LoginResult s_passwordTooLong = LoginResult.Refused(
        ErrorCode.LoginRefused, "Incorrect name or password. Check both, and log in again.");

    private static readonly LoginResult s_refused = s_passwordTooLong with { IsChecked = true };

    private static readonly LoginResult s_passwordRequired = LoginResult.Refused(
        ErrorCode.PasswordRequired, "A password is needed here. Send one.");

    private static readonly LoginResult s_lookalike = LoginResult.Refused(
        ErrorCode.NameInvalid, "This name looks like that of another player. Choose another.");

    private static readonly LoginResult s_closed = LoginResult.Refused(
        ErrorCode.Forbidden, "Accounts are not created here. Ask the operator of the server for one.");

    private static readonly LoginResult s_tokenRefused = LoginResult.Refused(
        ErrorCode.LoginTokenRefused, "This device is no longer logged in. Log in with your name and password.");

    private static readonly LoginResult s_noPassword = LoginResult.Refused(
        ErrorCode.Forbidden, "This account has no password: it logs in another way. Ask the operator of the server if it needs one.");

    private static readonly LoginResult s_busy = LoginResult.Refused(
        ErrorCode.ServerBusy, "Too many logins are being checked. Try again in a moment.", TimeSpan.FromSeconds(2));

    // Readiness keeps new logins away meanwhile, and after that the next login shows how the database is.
    private static readonly TimeSpan s_unwritableFor = TimeSpan.FromSeconds(30);

    private readonly AccountSettings _settings = settings.Accounts;
    private readonly LoginQueue _queue = new(() => settings.Accounts.MaxPendingPasswords, passwords.MaxConcurrency);
    private long _refused;
    private long _unwritableSince; // a timestamp; 0 when the last login was stored

    /// <summary>
    /// Whether a login failed within the last 30 seconds because the database takes no writes, and none has succeeded since.
    /// </summary>
    public bool IsUnwritable =>
        Interlocked.Read(ref _unwritableSince) is var since and not 0 && time.GetElapsedTime(since) < s_unwritableFor;

    /// <summary>Logins that were not let in, for whatever reason.</summary>
    public long Refused => Interlocked.Read(ref _refused);

    /// <summary>Logins whose password waits for its check, or is being checked.</summary>
    public int Pending => _queue.Pending;

    /// <summary>Checks a login. It may take long when many log in at once.</summary>
    /// <param name="name">Not checked yet.</param>
    /// <param name="password">Empty for none.</param>
    /// <param name="passwordless">Whether an account without password is let in by its name alone.</param>
    /// <param name="registration">Whether an unknown name is registered where the server does so.</param>
    /// <param name="peer">Where it comes from.</param>
    /// <param name="cancellationToken">The peer has gone.</param>
    /// <exception cref="StorageException">The database cannot do its part.</exception>
    public Task<LoginResult> CheckAsync(
        string name, string password, bool passwordless, Registration registration, EndPoint? peer, CancellationToken cancellationToken) =>
        CheckAsync(
            () => DecideAsync(name, password, passwordless, registration, peer, cancellationToken),
            password.Length > 0,
            peer,
            cancellationToken);

    /// <summary>Checks a login by the token of a device that stays logged in. The token stays as it is.</summary>
    /// <inheritdoc cref="CheckAsync(string, string, bool, Registration, EndPoint?, CancellationToken)"/>
    public Task<LoginResult> CheckTokenAsync(
        ReadOnlyMemory<byte> token, bool passwordless, EndPoint? peer, CancellationToken cancellationToken) =>
        CheckAsync(() => DecideByTokenAsync(token, passwordless, cancellationToken), hasPassword: false, peer, cancellationToken);

    private async Task<LoginResult> CheckAsync(
        Func<Task<LoginResult>> decideAsync, bool hasPassword, EndPoint? peer, CancellationToken cancellationToken)
    {
        try
        {
            LoginResult result = await decideAsync();
            // After the password: a stranger learns nothing about the ban of a player.
            if (result.Account is { } account && (bans.FindName(account.Name) ?? bans.FindAddress(peer)) is { } ban)
            {
                TimeSpan left = BanTerms.RetryAfter(ban, time.GetUtcNow());
                result = LoginResult.Refused(ErrorCode.Banned, BanTerms.Text(ban), left) with { IsChecked = hasPassword };
            }

            if (result.Account is { } player)
            {
                await store.UpdateLastLoginAsync(player.Id, time.GetUtcNow(), cancellationToken);
                Interlocked.Exchange(ref _unwritableSince, 0);
            }
            else
            {
                Interlocked.Increment(ref _refused);
            }

            return result;
        }
        catch (StorageException e) when (e.Kind is StorageErrorKind.DiskFull or StorageErrorKind.NotWritable)
        {
            Interlocked.Exchange(ref _unwritableSince, Math.Max(1, time.GetTimestamp()));
            throw;
        }
    }

    private static LoginResult Throttled(TimeSpan wait, string why = "Too many logins have failed.")
    {
        // Rounded up to whole seconds, so that a client that waits this long is not throttled again.
        var seconds = TimeSpan.FromSeconds(Math.Ceiling(wait.TotalSeconds));
        string unit = seconds.TotalSeconds > 1 ? "seconds" : "second";
        return LoginResult.Refused(ErrorCode.LoginThrottled, $"{why} Try again in {seconds.TotalSeconds} {unit}.", seconds);
    }

    private static LoginResult TooManyRegistered(TimeSpan wait) => Throttled(wait, "Too many accounts were registered from your address.");

    // It has been counted as a registration: otherwise a stranger would learn any number of names that way.
    private static LoginResult Unknown(string name) =>
        LoginResult.Refused(ErrorCode.NameUnknown, $"There is no account {name}. Correct the name, or create the account.");

    private LoginResult Taken(string name, LoginOrigin origin) => throttle.TakeRegistration(origin) is var wait && wait > TimeSpan.Zero
        ? TooManyRegistered(wait)
        : LoginResult.Refused(ErrorCode.NameTaken, $"The name {name} is taken. Choose another, or log in.");

    private async Task<LoginResult> DecideByTokenAsync(
        ReadOnlyMemory<byte> token, bool passwordless, CancellationToken cancellationToken)
    {
        (LoginTokenHashes? found, bool isValid) = await tokens.FindAsync(token, cancellationToken);
        if (found is null || !isValid)
        {
            return s_tokenRefused with { Token = found };
        }

        Account? account = await store.FindAccountAsync(found.PlayerName, cancellationToken);
        return account is { Disabled: false } && account.Id == found.PlayerId && (account.HasPassword || passwordless)
            ? new LoginResult(account) { Token = found }
            : s_tokenRefused;
    }

    private async Task<LoginResult> DecideAsync(
        string name, string password, bool passwordless, Registration registration, EndPoint? peer, CancellationToken cancellationToken)
    {
        // A token may come without a name.
        LoginOrigin? named = PlayerName.TryGetKey(name, out string? key, out string? problem) ? LoginOrigin.Of(key, peer) : null;
        if (own is not null && await CheckOwnAsync(own, new ChatLogin(name, password, peer), named, cancellationToken) is { } decided)
        {
            return decided;
        }

        if (named is not { } origin)
        {
            return LoginResult.Refused(ErrorCode.NameInvalid, $"{problem} Choose another.");
        }

        if (!ChatRules.IsPassword(password))
        {
            return s_passwordTooLong;
        }

        if (registration == Registration.Required && !_settings.AutoRegister)
        {
            return s_closed;
        }

        return password.Length > 0 ? await CheckPasswordAsync(name, password, registration, origin, cancellationToken)
            : passwordless ? await CheckNameAsync(name, registration, origin, cancellationToken)
            : s_passwordRequired;
    }

    /// <param name="own">Decides.</param>
    /// <param name="login">What the client sent.</param>
    /// <param name="origin">Whom a failure counts against; <see langword="null"/> for a login without a valid name.</param>
    /// <param name="cancellationToken">The peer has gone.</param>
    /// <returns><see langword="null"/> when the accounts decide.</returns>
    private async Task<LoginResult?> CheckOwnAsync(OwnLogin own, ChatLogin login, LoginOrigin? origin, CancellationToken cancellationToken)
    {
        if (origin is not { } counted)
        {
            return await own.CheckAsync(login, cancellationToken);
        }

        if (throttle.GetWait(counted) is var wait && wait > TimeSpan.Zero)
        {
            return Throttled(wait);
        }

        LoginResult? result = await own.CheckAsync(login, cancellationToken);
        if (result?.Account is not null)
        {
            throttle.OnSucceeded(counted);
        }
        else if (result?.Code == ErrorCode.LoginRefused)
        {
            throttle.OnFailed(counted);
        }

        return result;
    }

    /// <summary>Counts a registration. Why the name is not registered; <see langword="null"/> when it may be.</summary>
    private async Task<LoginResult?> FindBarAsync(
        string name, Registration registration, LoginOrigin origin, CancellationToken cancellationToken) =>
        throttle.TakeRegistration(origin) is var wait && wait > TimeSpan.Zero ? TooManyRegistered(wait)
            : await IsLookalikeAsync(name, cancellationToken) ? s_lookalike
            : registration == Registration.Never ? Unknown(name)
            : null;

    // Up to 65 look-ups, so the registration is counted before. One name is folded by the store; that two look alike in different scripts
    // is no reason to be one account.
    private async Task<bool> IsLookalikeAsync(string name, CancellationToken cancellationToken)
    {
        foreach (string alike in LookalikeNames.GetAlike(name))
        {
            if (await store.FindAccountAsync(alike, cancellationToken) is { } account && LookalikeNames.AreAlike(account.Name, name))
            {
                return true;
            }
        }

        return false;
    }

    private async Task<LoginResult> CheckNameAsync(
        string name, Registration registration, LoginOrigin origin, CancellationToken cancellationToken)
    {
        Account? account = await store.FindAccountAsync(name, cancellationToken);
        if (account is null && _settings.AutoRegister)
        {
            if (await FindBarAsync(name, registration, origin, cancellationToken) is { } refused)
            {
                return refused;
            }

            CreateAccountResult created = await store.CreateAccountAsync(name, passwordHash: null, time.GetUtcNow(), cancellationToken);
            if (created.Status == CreateAccountStatus.Created)
            {
                return new LoginResult(created.Account, IsNew: true);
            }

            account = created.Account; // another login has registered it meanwhile
        }

        if (registration == Registration.Required)
        {
            return Taken(name, origin);
        }

        return account is { HasPassword: false, Disabled: false } ? new LoginResult(account) : s_passwordRequired;
    }

    private async Task<LoginResult> CheckPasswordAsync(
        string name, string password, Registration registration, LoginOrigin origin, CancellationToken cancellationToken)
    {
        if (throttle.GetWait(origin) is var wait && wait > TimeSpan.Zero)
        {
            return Throttled(wait);
        }

        using LoginPlace? place = _queue.TryEnter(origin, throttle.GetStanding(origin));
        if (place is null || !await place.Turn.WaitAsync(cancellationToken))
        {
            return s_busy;
        }

        using PasswordTurn turn = await passwords.EnterAsync(cancellationToken);
        // Others of the same name or address may have failed meanwhile; without this many guesses at once would all be checked.
        wait = throttle.GetWait(origin);
        return wait > TimeSpan.Zero
            ? Throttled(wait)
            : await CheckPasswordAsync(turn, name, password, registration, origin, cancellationToken);
    }

    private async Task<LoginResult> CheckPasswordAsync(
        PasswordTurn turn, string name, string password, Registration registration, LoginOrigin origin, CancellationToken cancellationToken)
    {
        Account? account = await store.FindAccountAsync(name, cancellationToken);
        if (account is null && _settings.AutoRegister)
        {
            if (registration != Registration.Never && !NewPassword.IsLongEnough(password, _settings.MinPasswordLength))
            {
                return LoginResult.Refused(
                    ErrorCode.PasswordTooShort,
                    $"This name is new here, and a new password needs {NewPassword.Rule(_settings.MinPasswordLength)}. "
                        + "Choose a longer one.");
            }

            if (await FindBarAsync(name, registration, origin, cancellationToken) is { } refused)
            {
                return refused;
            }

            string hash = await turn.HashAsync(password);
            CreateAccountResult created = await store.CreateAccountAsync(name, hash, time.GetUtcNow(), cancellationToken);
            if (created.Status == CreateAccountStatus.Created)
            {
                throttle.OnSucceeded(origin);
                return new LoginResult(created.Account, IsNew: true);
            }

            account = created.Account; // another login has registered it meanwhile
        }

        if (registration == Registration.Required)
        {
            return Taken(name, origin);
        }

        // An account without password is not opened by one either: its sender would believe that the password protects something.
        string? storedHash = account is { Disabled: false } ? account.PasswordHash : null;
        PasswordVerification verification = await turn.VerifyAsync(password, storedHash);
        if (verification == PasswordVerification.Failed)
        {
            throttle.OnFailed(origin);
            return s_refused;
        }

        throttle.OnSucceeded(origin);
        if (verification == PasswordVerification.SucceededRehashNeeded)
        {
            await store.ReplacePasswordHashAsync(account!.Id, storedHash!, await turn.HashAsync(password), cancellationToken);
        }

        return new LoginResult(account);
    }

    /// <summary>Gives an account another password, if the old one is right. It is throttled as a login is.</summary>
    /// <param name="name">The account, whose player is logged in.</param>
    /// <param name="old">Its password; empty if it has none.</param>
    /// <param name="password">The next one.</param>
    /// <param name="peer">Where the request comes from.</param>
    /// <param name="cancellationToken">The peer has gone.</param>
    /// <returns>The account as it is now, or why nothing was changed.</returns>
    /// <exception cref="StorageException">The database cannot do its part.</exception>
    public async Task<LoginResult> ChangePasswordAsync(
        string name, string old, string password, EndPoint? peer, CancellationToken cancellationToken)
    {
        if (!ChatRules.IsPassword(password) || !ChatRules.IsPassword(old))
        {
            return LoginResult.Refused(
                ErrorCode.MalformedPacket, $"A password has at most {ChatLimits.MaxPasswordBytes} bytes of UTF-8. Choose a shorter one.");
        }

        if (!NewPassword.IsLongEnough(password, _settings.MinPasswordLength))
        {
            return LoginResult.Refused(
                ErrorCode.PasswordTooShort, $"A new password needs {NewPassword.Rule(_settings.MinPasswordLength)}. Choose a longer one.");
        }

        LoginOrigin origin = LoginOrigin.Of(AccountName.GetKey(name), peer);
        using LoginPlace? place = _queue.TryEnter(origin, throttle.GetStanding(origin));
        if (place is null || !await place.Turn.WaitAsync(cancellationToken))
        {
            return s_busy;
        }

        using PasswordTurn turn = await passwords.EnterAsync(cancellationToken);
        if (throttle.GetWait(origin) is var wait && wait > TimeSpan.Zero)
        {
            return Throttled(wait);
        }

        Account? account = await store.FindAccountAsync(name, cancellationToken);
        bool isOpen = account is { HasPassword: false, Disabled: false } && old.Length == 0;
        if (isOpen && own is not null)
        {
            return s_noPassword; // with a password the player could log in without the authenticator, and for any time
        }

        if (!isOpen
            && await turn.VerifyAsync(old, account is { Disabled: false } ? account.PasswordHash : null) == PasswordVerification.Failed)
        {
            throttle.OnFailed(origin);
            return LoginResult.Refused(
                ErrorCode.LoginRefused, "The old password is incorrect. Nothing was changed; check it, and try again.");
        }

        throttle.OnSucceeded(origin);
        await store.UpdatePasswordHashAsync(account!.Id, await turn.HashAsync(password), cancellationToken);
        return new LoginResult(account with { TokenVersion = account.TokenVersion + 1 });
    }
}
