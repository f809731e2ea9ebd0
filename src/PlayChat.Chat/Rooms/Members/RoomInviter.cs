namespace PlayChat.Chat.Rooms.Members;

/// <summary>The player that invites another one, and the room. Immutable.</summary>
/// <param name="PlayerId">Its id.</param>
/// <param name="Name">Its name.</param>
/// <param name="Role">Its role in the room.</param>
/// <param name="RoomName">The room's name.</param>
internal sealed record RoomInviter(long PlayerId, string Name, RoomRole Role, string RoomName);
