namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>An account's reaction to a message.</summary>
/// <param name="RoomId">The room's id.</param>
/// <param name="Sequence">The message's place in the room.</param>
/// <param name="Emoji">One emoji.</param>
/// <param name="At">When it was added.</param>
internal sealed record ReactionInfo(long RoomId, long Sequence, string Emoji, DateTimeOffset At);
