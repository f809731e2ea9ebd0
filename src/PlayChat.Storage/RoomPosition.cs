namespace PlayChat.Storage;

/// <summary>How far the log of a room reaches: where the room goes on after a restart.</summary>
/// <param name="RoomId">The room's id.</param>
/// <param name="RoomName">The name it had last, if any.</param>
/// <param name="LastSequence">The highest sequence stored.</param>
public sealed record RoomPosition(long RoomId, string? RoomName, long LastSequence);
