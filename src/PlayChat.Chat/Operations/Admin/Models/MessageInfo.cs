namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>A stored message with the names of its room and its player when it was sent. A direct message has the room 0, its place in
/// the conversation as sequence, and the name of the other player.</summary>
internal sealed record MessageInfo(
    long RoomId, string? RoomName, long Sequence, string PlayerName, string Text, DateTimeOffset SentAt, string? ToPlayer = null);
