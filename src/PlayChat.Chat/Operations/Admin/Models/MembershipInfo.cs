namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>What is kept of an account in a room that lasts.</summary>
/// <param name="RoomId">The room's id.</param>
/// <param name="RoomName">The room's name; null if it has none.</param>
/// <param name="Role">"member", "moderator" or "owner"; "none" where it is only muted or banned.</param>
/// <param name="ReadSequence">The newest message that it has read.</param>
/// <param name="MutedUntil">Until then it cannot speak there; null when it can.</param>
/// <param name="BannedUntil">Until then it cannot join; null when it can.</param>
internal sealed record MembershipInfo(
    long RoomId, string? RoomName, string Role, long ReadSequence, DateTimeOffset? MutedUntil, DateTimeOffset? BannedUntil);
