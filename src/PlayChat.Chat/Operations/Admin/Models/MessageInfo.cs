namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>A stored message.</summary>
/// <param name="RoomId">The room's id.</param>
/// <param name="RoomName">The room's name when the message was sent; null if it had none.</param>
/// <param name="Sequence">The message's place in the room.</param>
/// <param name="PlayerName">The player's name when the message was sent.</param>
/// <param name="Text">The text.</param>
/// <param name="SentAt">When it was sent.</param>
internal sealed record MessageInfo(
    long RoomId, string? RoomName, long Sequence, string PlayerName, string Text, DateTimeOffset SentAt);
