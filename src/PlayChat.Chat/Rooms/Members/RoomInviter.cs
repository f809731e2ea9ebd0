namespace PlayChat.Chat.Rooms.Members;

/// <summary>The player that invites another one, and the room. Immutable.</summary>
internal sealed record RoomInviter(long PlayerId, string Name, RoomRole Role, string RoomName);
