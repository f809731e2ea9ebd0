using PlayChat.Chat.Extensions;

namespace PlayChat.Chat.Accounts;

/// <summary>Logins that <see cref="IChatAuthenticator"/> decides. Only in a server that has one. Thread-safe.</summary>
internal sealed class OwnLogin(
    IChatAuthenticator authenticator, ChatBuilder builder, IChatStore store, TimeProvider time, ILogger<OwnLogin> logger)
{
    private const string Expired = "This login has expired. Log in again with a new one.";

    private static readonly LoginResult s_failed = LoginResult.Refused(
        ErrorCode.Unavailable, "The server cannot check logins now. Try again in a moment.", TimeSpan.FromSeconds(1));

    /// <summary>Asks about a login.</summary>
    /// <returns><see langword="null"/> when the accounts decide.</returns>
    /// <exception cref="StorageException">The database cannot do its part.</exception>
    public async Task<LoginResult?> CheckAsync(ChatLogin login, CancellationToken cancellationToken)
    {
        ChatLoginDecision decision;
        try
        {
            decision = await TimeLimit.RunAsync(
                stop => authenticator.AuthenticateAsync(login, stop), builder.RuleTimeout, time, cancellationToken);
        }
        catch (Exception e)
        {
            cancellationToken.ThrowIfCancellationRequested();
            ServerLog.AuthenticatorFailed(logger, e, authenticator.GetType().Name);
            return s_failed;
        }

        return decision.ExpiresAt <= time.GetUtcNow() ? LoginResult.Refused(ErrorCode.LoginRefused, Expired)
            : decision.Refusal is { } refusal ? LoginResult.Refused(ErrorCode.LoginRefused, refusal)
            : decision.Player is { } player
                ? await FindAsync(player, cancellationToken) with { IsByAccounts = false, ExpiresAt = decision.ExpiresAt }
            : null;
    }

    private async Task<LoginResult> FindAsync(string name, CancellationToken cancellationToken)
    {
        if (!PlayerName.TryGetKey(name, out _, out string? problem))
        {
            return LoginResult.Refused(ErrorCode.NameInvalid, $"{problem} Ask the operator of the server for another.");
        }

        (Account account, bool isNew) = await store.FindOrCreateAccountAsync(name, time, cancellationToken);
        return !account.Disabled ? new LoginResult(account, isNew)
            : LoginResult.Refused(ErrorCode.LoginRefused, "This account has been disabled. Ask the operator of the server.");
    }
}
