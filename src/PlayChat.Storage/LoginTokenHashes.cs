namespace PlayChat.Storage;

/// <summary>The hashes of the token by which a device logs in without a password. The token itself is not stored.</summary>
/// <param name="Id">Names the token, and so its device: a random number above 0. It stays when the token is replaced.</param>
/// <param name="PlayerId">The id of the account.</param>
/// <param name="PlayerName">The name of the account. Read only: adding one ignores it.</param>
/// <param name="Newest">The hash of the newest token: 1 to 128 ASCII characters.</param>
/// <param name="Used">The hash of the token that the newest one has replaced; <see langword="null"/> for the first one.</param>
/// <param name="TokenVersion">
/// The <see cref="Account.TokenVersion"/> with which the token was made. Tokens of another version than the account's are void.
/// </param>
/// <param name="CreatedAt">When the device got its first token. Stored as UTC, cut to the microsecond.</param>
/// <param name="UsedAt">When the newest token was made. Stored as UTC, cut to the microsecond.</param>
/// <param name="ClientVersion">The client's program and version, at most 64 characters.</param>
public sealed record LoginTokenHashes(
    long Id, long PlayerId, string PlayerName, string Newest, string? Used, int TokenVersion, DateTimeOffset CreatedAt,
    DateTimeOffset UsedAt, string ClientVersion);
