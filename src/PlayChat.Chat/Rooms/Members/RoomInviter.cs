namespace PlayChat.Chat.Rooms.Members;

/// <summary>Who invites a player, and where to. Immutable.</summary>
/// <param name="PlayerId">The player that invites.</param>
/// <param name="Name">Its name.</param>
/// <param name="Role">Its role in the room.</param>
/// <param name="RoomName">The room's name.</param>
internal sealed record RoomInviter(long PlayerId, string Name, RoomRole Role, string RoomName);
