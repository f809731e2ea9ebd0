namespace PlayChat.Storage;

/// <summary>A room as stored, and how far its log reaches: where it continues after a restart.</summary>
/// <param name="RoomId">The room's id.</param>
/// <param name="RoomName">The name it had last, if any.</param>
/// <param name="LastSequence">The highest sequence stored; 0 while nothing was said.</param>
/// <param name="CreatedAt">UTC, to the microsecond; null for a room of which only messages were stored.</param>
/// <param name="State">What became of it.</param>
/// <param name="Attributes">
/// What else the application keeps of the room, as it was saved; null for nothing. The store does not read it.
/// </param>
public sealed record RoomPosition(
    long RoomId,
    string? RoomName,
    long LastSequence,
    DateTimeOffset? CreatedAt = null,
    RoomState State = RoomState.Open,
    string? Attributes = null);
