namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>An account.</summary>
/// <param name="Id">Its id.</param>
/// <param name="Name">Its name.</param>
/// <param name="State">enabled, disabled or no password.</param>
/// <param name="CreatedAt">When it was made.</param>
/// <param name="LastLoginAt">The last login; null before the first.</param>
internal sealed record AccountInfo(
    long Id,
    string Name,
    string State,
    DateTimeOffset CreatedAt,
    DateTimeOffset? LastLoginAt);
