namespace PlayChat.Storage;

/// <summary>What the store keeps of one player in one room that lasts. Room and player together are its key.</summary>
/// <param name="RoomId">The room.</param>
/// <param name="PlayerId">The player's account.</param>
/// <param name="PlayerName">The account's name when this was written.</param>
/// <param name="Role">What the player may do there.</param>
/// <param name="ReadSequence">The newest message that the player has read.</param>
/// <param name="UnreadMentions">How many messages after it mention the player. The store counts them: what it saves leaves them.</param>
/// <param name="MutedUntil">Until then it cannot speak; <see langword="null"/> when it can. Cut to the microsecond.</param>
/// <param name="BannedUntil">Until then it cannot join; <see langword="null"/> when it can. Cut to the microsecond.</param>
public sealed record RoomMembership(
    long RoomId,
    long PlayerId,
    string PlayerName,
    RoomMemberRole Role,
    long ReadSequence = 0,
    int UnreadMentions = 0,
    DateTimeOffset? MutedUntil = null,
    DateTimeOffset? BannedUntil = null)
{
    /// <summary>Whether the player is a member. Otherwise the store keeps no more of it than its ban.</summary>
    public bool IsMember => Role != RoomMemberRole.None;
}
