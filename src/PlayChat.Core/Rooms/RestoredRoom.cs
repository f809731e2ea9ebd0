namespace PlayChat.Core.Rooms;

/// <summary>What a room continues that was saved before the server's restart (<see cref="RoomContext.Restored"/>).</summary>
/// <param name="SavedAt">When the state was saved, by the former server's clock. What happened in the room after that is lost.</param>
/// <param name="IsComplete">Whether the former server has saved the room when it stopped, so that nothing is lost. False after a
/// crash.</param>
public sealed record RestoredRoom(DateTimeOffset SavedAt, bool IsComplete);
