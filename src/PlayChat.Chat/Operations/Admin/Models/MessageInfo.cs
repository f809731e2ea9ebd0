namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>A stored message.</summary>
/// <param name="RoomId">The room's id; 0 for a direct message.</param>
/// <param name="RoomName">The room's name when the message was sent; null if it had none.</param>
/// <param name="Sequence">The message's place in the room or the conversation.</param>
/// <param name="PlayerName">The player's name when the message was sent.</param>
/// <param name="Text">The text.</param>
/// <param name="SentAt">When it was sent.</param>
/// <param name="ToPlayer">Of a direct message: the name of the player that it is for.</param>
internal sealed record MessageInfo(
    long RoomId, string? RoomName, long Sequence, string PlayerName, string Text, DateTimeOffset SentAt, string? ToPlayer = null);
