namespace PlayChat.Core.Rooms;

/// <summary>One tick of a room.</summary>
/// <param name="Number">Counted from 1 since <see cref="Room.StartTick"/>, missed ones included.</param>
/// <param name="Elapsed">What the game moves on by: the period, and that of each missed tick. How late this one is does not show in it.</param>
/// <param name="Missed">Ticks before this one that could not run before the next was due. They are not made up for.</param>
/// <param name="Drift">How late it runs.</param>
public readonly record struct RoomTick(long Number, TimeSpan Elapsed, long Missed, TimeSpan Drift);
