namespace PlayChat.Storage;

/// <summary>The hashes of the tokens with which a session may resume after a restart. The tokens themselves are not stored.</summary>
/// <param name="PlayerId">The id of the account.</param>
/// <param name="PlayerName">The name of the account. Read only: a save ignores it.</param>
/// <param name="Newest">The hash of the newest token: 1 to 128 ASCII characters.</param>
/// <param name="Used">
/// The hash of the token before it, while the client has not confirmed the newest one; otherwise <see langword="null"/>.
/// </param>
/// <param name="CloseIsLeave">Whether a client that closes its connection leaves for good.</param>
/// <param name="ExpiresAt">When both tokens become void. Stored as UTC, cut to the microsecond.</param>
/// <param name="TokenVersion">
/// The <see cref="Account.TokenVersion"/> with which the player logged in. Tokens of another version than the account's are void.
/// </param>
public sealed record ResumeTokenHashes(
    long PlayerId, string PlayerName, string Newest, string? Used, bool CloseIsLeave, DateTimeOffset ExpiresAt, int TokenVersion = 0)
{
    /// <summary>Whether the player has no others: a save removes them. Default true. Otherwise it removes only those of the same session,
    /// which have a hash in common, and those that have expired.</summary>
    public bool AreAll { get; init; } = true;

    /// <summary>The <see cref="LoginTokenHashes.Id"/> of the device, whose end removes these as well; 0, the default, for none.</summary>
    public long LoginTokenId { get; init; }
}
