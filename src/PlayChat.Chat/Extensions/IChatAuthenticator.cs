namespace PlayChat.Chat.Extensions;

/// <summary>Identifies the player of a login: by a token of your company, a directory, or whatever you have. Thread-safe.</summary>
public interface IChatAuthenticator
{
    /// <summary>Decides about one login. It may wait; other logins do not wait for it.</summary>
    /// <param name="login">What the client sent.</param>
    /// <param name="cancellationToken">
    /// Cancelled when the client has gone, or after <see cref="ChatBuilder.RuleTimeout"/>: the login is refused then.
    /// </param>
    /// <returns>A player, a refusal, or <see cref="ChatLoginDecision.UseAccounts"/>.</returns>
    /// <remarks>
    /// An exception refuses the login with UNAVAILABLE, and the log has it. A device that stays logged in (<c>Accounts:KeepLogin</c>) comes
    /// back without being asked about; only a login that the accounts have decided lets it stay.
    /// </remarks>
    ValueTask<ChatLoginDecision> AuthenticateAsync(ChatLogin login, CancellationToken cancellationToken);
}
