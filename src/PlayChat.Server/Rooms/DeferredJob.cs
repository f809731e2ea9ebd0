namespace PlayChat.Server.Rooms;

/// <summary>Something asked of a room that waits for what comes before it.</summary>
/// <param name="Run">Does it, in the room's turn.</param>
/// <param name="Request">Who asked; answered already when the wait was too long.</param>
/// <param name="IsMessage">Whether it says something: that needs not wait for messages to be stored.</param>
/// <param name="Since">When it came, as a timestamp of the room's clock.</param>
internal sealed record DeferredJob(Action Run, RoomRequest Request, bool IsMessage, long Since);
