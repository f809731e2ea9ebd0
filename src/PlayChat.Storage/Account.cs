namespace PlayChat.Storage;

/// <summary>A registered player as stored. Immutable.</summary>
/// <param name="Id">The player's id, 1 or more, never given twice.</param>
/// <param name="Name">The name as it was written when the account was made.</param>
/// <param name="PasswordHash">What <see cref="Passwords.PasswordHasher"/> made; null when the account has no password.</param>
/// <param name="CreatedAt">UTC, to the microsecond.</param>
/// <param name="LastLoginAt">UTC, to the microsecond; null before the first login.</param>
/// <param name="Disabled">Whether logins to it are refused.</param>
/// <param name="TokenVersion">
/// Raised by each change that makes all resume tokens of the account void: a new password, or a disabled account. 0 at first.
/// </param>
public sealed record Account(
    long Id,
    string Name,
    string? PasswordHash,
    DateTimeOffset CreatedAt,
    DateTimeOffset? LastLoginAt,
    bool Disabled = false,
    int TokenVersion = 0)
{
    /// <summary>Whether the account needs a password to log in.</summary>
    public bool HasPassword => PasswordHash is not null;

    /// <summary>Name and id alone: an account may end up in a log, its hash must not.</summary>
    public override string ToString() => $"{Name} ({Id})";
}
