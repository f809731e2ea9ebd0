namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>An account.</summary>
internal sealed record AccountInfo(
    long Id,
    string Name,
    string State, // enabled, disabled or no password
    DateTimeOffset CreatedAt,
    DateTimeOffset? LastLoginAt); // null before the first
