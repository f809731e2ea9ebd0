namespace PlayChat.Chat.Accounts;

/// <summary>What came of checking a name and a password.</summary>
/// <param name="Account">The account; <see langword="null"/> when the login is refused.</param>
/// <param name="IsNew">Registered just now.</param>
/// <param name="Code">Why the login is refused.</param>
/// <param name="Message">What to do about it.</param>
/// <param name="RetryAfter">How long to wait before the next try; 0 when it does not depend on that.</param>
/// <param name="IsChecked">
/// For a refusal, whether a password was checked. Refusals without a check cost the sender nothing, so their number is bounded.
/// </param>
internal sealed record LoginResult(
    Account? Account,
    bool IsNew = false,
    ErrorCode Code = ErrorCode.None,
    string Message = "",
    TimeSpan RetryAfter = default,
    bool IsChecked = false)
{
    /// <summary>
    /// The token of the login. Of a refused login it was replaced before: it, or the one that replaced it, is in the hands of a stranger.
    /// </summary>
    public LoginTokenHashes? Token { get; init; }

    /// <summary>Whether the accounts have decided, so that the device may stay logged in. Otherwise an authenticator has.</summary>
    public bool IsByAccounts { get; init; } = true;

    /// <summary>When the login expires; <see langword="null"/> for never.</summary>
    public DateTimeOffset? ExpiresAt { get; init; }

    public static LoginResult Refused(ErrorCode code, string message, TimeSpan retryAfter = default) =>
        new(null, false, code, message, retryAfter);
}
