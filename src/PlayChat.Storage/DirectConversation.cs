namespace PlayChat.Storage;

/// <summary>A conversation as one of its players sees it.</summary>
/// <param name="PartnerId">The other player.</param>
/// <param name="PartnerName">The other player's name when it was written.</param>
/// <param name="ReadNumber">The newest message that the player has read or written.</param>
/// <param name="Last">The newest message; its text is empty when it was deleted or erased.</param>
public sealed record DirectConversation(long PartnerId, string PartnerName, long ReadNumber, DirectMessage Last)
{
    /// <summary>How many messages the player has not read.</summary>
    public long Unread => Last.Number - ReadNumber;
}
