namespace PlayChat.Core.Sessions;

/// <summary>What an <see cref="IResumeStore"/> keeps about a user that may resume.</summary>
/// <param name="User">The user.</param>
/// <param name="TokenHash">The hash of the newest token: 64 hexadecimal digits.</param>
/// <param name="UsedTokenHash">
/// The hash of the token before it, while the client has not confirmed that it has the newest one; otherwise <see langword="null"/>.
/// </param>
/// <param name="CloseIsLeave">See <see cref="SessionRegistry.IssueResumeTokenAsync"/>.</param>
/// <param name="ExpiresAt">When the record becomes void. A store may delete it then.</param>
public sealed record ResumeRecord(
    SessionUser User, string TokenHash, string? UsedTokenHash, bool CloseIsLeave, DateTimeOffset ExpiresAt);
