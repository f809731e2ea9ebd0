namespace PlayChat.Recording;

/// <summary>An exception that code of the room has thrown in a replay.</summary>
/// <param name="At">The time since the start of the recording.</param>
/// <param name="Tick">The number of the room's last tick until then; 0 before the first.</param>
/// <param name="During">What the room did, such as the handler of a packet.</param>
/// <param name="Exception">The exception.</param>
public sealed record RoomReplayFault(TimeSpan At, long Tick, string During, Exception Exception);
