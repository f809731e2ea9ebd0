namespace PlayChat.Chat.Rooms;

/// <summary>How a player enters a chat room.</summary>
/// <param name="Request">The request that creates, joins or resumes. The room answers the first two when the player is a member.</param>
/// <param name="ReplayAfter">
/// The sequence after which the room sends everything when the member returns; <see langword="null"/> for the room's state instead.
/// </param>
/// <param name="OpenedHash">The hash that the player's password belongs to; <see langword="null"/> when none was checked.</param>
/// <param name="UnreadMentions">How many messages mention the player that it has not read.</param>
internal readonly record struct RoomJoin(
    PacketContext Request, long? ReplayAfter = null, string? OpenedHash = null, int UnreadMentions = 0);
