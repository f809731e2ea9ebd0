namespace PlayChat.Storage;

/// <summary>A name or a network that may not log in. Immutable.</summary>
/// <param name="Subject">What is banned.</param>
/// <param name="Reason">Told to each refused client; may be empty.</param>
/// <param name="CreatedAt">UTC, to the microsecond.</param>
/// <param name="ExpiresAt">From when on the ban has no effect: UTC, to the microsecond; <see langword="null"/> for a ban without
/// end.</param>
public sealed record Ban(BanSubject Subject, string Reason, DateTimeOffset CreatedAt, DateTimeOffset? ExpiresAt)
{
    /// <summary>Whether the ban has no effect any more.</summary>
    public bool HasExpired(DateTimeOffset now) => ExpiresAt <= now;
}
