namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>An account's reaction to a message.</summary>
internal sealed record ReactionInfo(long RoomId, long Sequence, string Emoji, DateTimeOffset At);
