namespace PlayChat.Core.Sessions;

/// <summary>The data that an <see cref="IResumeStore"/> keeps about a user that may resume.</summary>
public sealed record ResumeRecord
{
    /// <summary>The user.</summary>
    public required SessionUser User { get; init; }

    /// <summary>The hash of the newest token: 64 hexadecimal digits.</summary>
    public required string TokenHash { get; init; }

    /// <summary>
    /// The hash of the token before it, while the client has not confirmed that it has the newest one; otherwise <see langword="null"/>.
    /// </summary>
    public required string? UsedTokenHash { get; init; }

    /// <summary>See <see cref="SessionRegistry.IssueResumeTokenAsync"/>.</summary>
    public required bool CloseIsLeave { get; init; }

    /// <summary>When the record becomes void. A store may delete it then.</summary>
    public required DateTimeOffset ExpiresAt { get; init; }
}
