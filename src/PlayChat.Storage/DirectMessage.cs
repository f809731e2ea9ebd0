namespace PlayChat.Storage;

/// <summary>What one player has said to another one alone.</summary>
/// <param name="FromId">The sender's account.</param>
/// <param name="ToId">The receiver's account; may be the sender's.</param>
/// <param name="Text">The text; empty when it was erased.</param>
/// <param name="SentAt">When the server received it; cut to the microsecond.</param>
/// <param name="FromName">The sender's name, for the receiver's list. Not read back.</param>
/// <param name="ClientMessageId">The sender's own number for the message, by which it is stored once; 0 for none.</param>
/// <param name="Number">Its place in the conversation of the two players, from 1. The store gives it.</param>
public sealed record DirectMessage(
    long FromId, long ToId, string Text, DateTimeOffset SentAt, string FromName = "", ulong ClientMessageId = 0, long Number = 0)
{
    /// <summary>The key alone: message bodies do not belong in logs.</summary>
    public override string ToString() => $"{FromId}/{ToId}/{Number}";
}
