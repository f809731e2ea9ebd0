namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>A ban.</summary>
/// <param name="Subject">An account's name or a network.</param>
/// <param name="Kind">account or network.</param>
/// <param name="Reason">Told to the banned; may be empty.</param>
/// <param name="CreatedAt">When it was made.</param>
/// <param name="ExpiresAt">When it ends; null for a ban without end.</param>
internal sealed record BanInfo(
    string Subject,
    string Kind,
    string Reason,
    DateTimeOffset CreatedAt,
    DateTimeOffset? ExpiresAt);
