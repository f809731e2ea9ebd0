namespace PlayChat.Core.Rooms;

/// <summary>A page of the list of rooms.</summary>
/// <param name="Rooms">The rooms, by rising id.</param>
/// <param name="HasMore">Whether more matching rooms follow; <see cref="RoomQuery.AfterId"/> gets them.</param>
public sealed record RoomPage(IReadOnlyList<RoomInfo> Rooms, bool HasMore);
