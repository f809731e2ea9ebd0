namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>What is kept of an account in a room that lasts. Its role is member, moderator or owner; or none where it is only muted or
/// banned, until the times that are not null.</summary>
internal sealed record MembershipInfo(
    long RoomId, string? RoomName, string Role, long ReadSequence, DateTimeOffset? MutedUntil, DateTimeOffset? BannedUntil);
