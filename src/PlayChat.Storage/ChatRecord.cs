namespace PlayChat.Storage;

/// <summary>One message of a room as the chat log keeps it. Room and sequence together are its unique key.</summary>
/// <param name="RoomId">The room's id.</param>
/// <param name="Sequence">The message's place in the room's total order.</param>
/// <param name="PlayerId">The sender: an account's id, or 0 for the system itself.</param>
/// <param name="PlayerName">The name shown when it was said.</param>
/// <param name="Text">What was said. U+0000, which not every database takes, is stored as U+FFFD.</param>
/// <param name="SentAt">When it got its sequence; stored as UTC, cut to the microsecond.</param>
/// <param name="RoomName">The room's name when it was said, if it has one.</param>
/// <param name="ClientMessageId">The sender's own number for the message; 0 for none.</param>
/// <param name="EditedAt">When the text was changed last; empty text is a deleted message. <see langword="null"/> when it was not. A record
/// with it replaces the text of a stored one with the same key that was not changed later; a deletion does so always, and for good.</param>
public readonly record struct ChatRecord(
    long RoomId,
    long Sequence,
    long PlayerId,
    string PlayerName,
    string Text,
    DateTimeOffset SentAt,
    string? RoomName = null,
    ulong ClientMessageId = 0,
    DateTimeOffset? EditedAt = null)
{
    /// <summary>The key alone: message bodies do not belong in logs.</summary>
    public override string ToString() => $"{RoomId}/{Sequence}";
}
