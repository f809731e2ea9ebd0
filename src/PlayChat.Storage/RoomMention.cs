namespace PlayChat.Storage;

/// <summary>A message that mentions a member of a room that lasts.</summary>
/// <param name="RoomId">The room.</param>
/// <param name="PlayerId">The member that is mentioned.</param>
/// <param name="Sequence">The message.</param>
/// <param name="SenderId">The player that said it.</param>
public readonly record struct RoomMention(long RoomId, long PlayerId, long Sequence, long SenderId);
