namespace PlayChat.Core.Rooms;

/// <summary>Some of the rooms of a server.</summary>
/// <param name="Rooms">By rising id.</param>
/// <param name="HasMore">Whether more of the asked for follow; <see cref="RoomQuery.AfterId"/> gets them.</param>
public sealed record RoomPage(IReadOnlyList<RoomInfo> Rooms, bool HasMore);
