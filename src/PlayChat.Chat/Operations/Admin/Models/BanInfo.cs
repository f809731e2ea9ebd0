namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>A ban.</summary>
internal sealed record BanInfo(
    string Subject, // an account's name or a network
    string Kind, // account or network
    string Reason, // told to the banned; may be empty
    DateTimeOffset CreatedAt,
    DateTimeOffset? ExpiresAt); // null for a ban without end
