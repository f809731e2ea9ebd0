namespace PlayChat.Chat.Accounts;

/// <summary>What the banned are told of their ban.</summary>
internal static class BanTerms
{
    /// <summary>What is banned, until when, and why; and what to do.</summary>
    public static string Text(Ban ban)
    {
        string subject = ban.Subject.Kind == BanKind.Account ? "This account" : "Your address";
        string until = ban.ExpiresAt is { } end
            ? string.Create(CultureInfo.InvariantCulture, $" until {end.UtcDateTime:yyyy-MM-dd HH:mm} UTC")
            : "";
        string reason = ban.Reason.Length > 0 ? $": {ban.Reason.TrimEnd('.')}" : "";
        return $"{subject} is banned{until}{reason}. Ask the operator of the server.";
    }

    /// <summary>How long the ban lasts, for a client that may try again; 0 for a ban without end.</summary>
    /// <returns>At most what the protocol can say, 49 days.</returns>
    public static TimeSpan RetryAfter(Ban ban, DateTimeOffset now) => ban.ExpiresAt is { } end ? RetryAfter(end, now) : TimeSpan.Zero;

    /// <summary>How long something lasts that has an end, for a client that may try again.</summary>
    /// <returns>At most what the protocol can say, 49 days.</returns>
    public static TimeSpan RetryAfter(DateTimeOffset end, DateTimeOffset now)
    {
        var most = TimeSpan.FromMilliseconds(uint.MaxValue);
        return end - now < most ? end - now : most;
    }
}
