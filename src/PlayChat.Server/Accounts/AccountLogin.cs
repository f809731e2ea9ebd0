using PlayChat.Protocol;
using PlayChat.Server.Configuration;
using PlayChat.Storage;
using PlayChat.Storage.Passwords;

namespace PlayChat.Server.Accounts;

/// <summary>Decides who is let in: finds or registers the account and checks the password. Thread-safe.</summary>
internal sealed class AccountLogin(ServerSettings settings, IChatStore store, PasswordVerifier passwords, TimeProvider time)
{
    private static readonly LoginResult s_refused = LoginResult.Refused(
        ErrorCode.LoginRefused, "Name and password do not belong together. Check both.");

    private static readonly LoginResult s_passwordRequired = LoginResult.Refused(
        ErrorCode.PasswordRequired, "A password is needed here. Send one.");

    private static readonly LoginResult s_busy = LoginResult.Refused(
        ErrorCode.ServerBusy, "Too many logins are being checked. Try again in a moment.");

    private readonly AccountSettings _settings = settings.Accounts;
    private readonly Quota _passwords = new(settings.Accounts.MaxPendingPasswords);

    /// <summary>Checks a login.</summary>
    /// <param name="name">Not checked yet.</param>
    /// <param name="password">Empty for none.</param>
    /// <param name="passwordless">Whether an account without password is let in by its name alone.</param>
    /// <param name="cancellationToken">The peer has gone.</param>
    /// <exception cref="StorageException">The database cannot do its part.</exception>
    public async Task<LoginResult> CheckAsync(string name, string password, bool passwordless, CancellationToken cancellationToken)
    {
        if (!IsName(name))
        {
            return LoginResult.Refused(
                ErrorCode.NameInvalid,
                $"A player name has 1 to {ChatLimits.MaxPlayerNameChars} characters, no control characters, and is not {ChatLimits.SystemName}. Choose another.");
        }

        if (!ChatRules.IsPassword(password))
        {
            return s_refused;
        }

        Account? account = await store.FindAccountAsync(name, cancellationToken);
        LoginResult result = account is null && _settings.AutoRegister
            ? await RegisterAsync(name, password, passwordless, cancellationToken)
            : await VerifyAsync(account, password, passwordless, cancellationToken);
        if (result.Account is { } player)
        {
            await store.UpdateLastLoginAsync(player.Id, time.GetUtcNow(), cancellationToken);
        }

        return result;
    }

    // The store folds letter case and compatibility forms: nobody may look like the server's own voice by that.
    private static bool IsName(string name) =>
        ChatRules.IsPlayerName(name)
        && AccountName.TryGetKey(name, out string? key)
        && key.Trim() != AccountName.GetKey(ChatLimits.SystemName);

    private async Task<LoginResult> RegisterAsync(string name, string password, bool passwordless, CancellationToken cancellationToken)
    {
        string? hash = null;
        if (password.Length == 0)
        {
            if (!passwordless)
            {
                return s_passwordRequired;
            }
        }
        else if (!_passwords.TryTake())
        {
            return s_busy;
        }
        else
        {
            try
            {
                hash = await passwords.HashAsync(password, cancellationToken);
            }
            finally
            {
                _passwords.GiveBack();
            }
        }

        CreateAccountResult created = await store.CreateAccountAsync(name, hash, time.GetUtcNow(), cancellationToken);
        return created.Status == CreateAccountStatus.Created
            ? new LoginResult(created.Account, IsNew: true)
            // Somebody else was quicker by a moment: then it is an account like any other.
            : await VerifyAsync(created.Account, password, passwordless, cancellationToken);
    }

    private async Task<LoginResult> VerifyAsync(Account? account, string password, bool passwordless, CancellationToken cancellationToken)
    {
        if (password.Length == 0)
        {
            if (!passwordless || account is { HasPassword: true })
            {
                return s_passwordRequired;
            }

            return account is null ? s_refused : new LoginResult(account);
        }

        if (!_passwords.TryTake())
        {
            return s_busy;
        }

        try
        {
            return await VerifyPasswordAsync(account, password, cancellationToken);
        }
        finally
        {
            _passwords.GiveBack();
        }
    }

    private async Task<LoginResult> VerifyPasswordAsync(Account? account, string password, CancellationToken cancellationToken)
    {
        // An account without password is not opened by one either: who sends it believes that it protects something.
        PasswordVerification verification = await passwords.VerifyAsync(password, account?.PasswordHash, cancellationToken);
        if (verification == PasswordVerification.Failed)
        {
            return s_refused;
        }

        if (verification == PasswordVerification.SucceededRehashNeeded)
        {
            string hash = await passwords.HashAsync(password, cancellationToken);
            await store.UpdatePasswordHashAsync(account!.Id, hash, cancellationToken);
        }

        return new LoginResult(account);
    }
}
