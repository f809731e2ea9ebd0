namespace PlayChat.Core.Rooms;

/// <summary>One tick of a room.</summary>
/// <param name="Number">The number of the tick, counted from 1 since <see cref="Room.StartTick"/>, missed ones included.</param>
/// <param name="Elapsed">
/// The time by which the game advances: one period for this tick and one for each missed tick. Lateness does not change it.
/// </param>
/// <param name="Missed">
/// The number of ticks directly before this one that could not run before the next was due. They do not run later.
/// </param>
/// <param name="Drift">The time by which this tick is late.</param>
public readonly record struct RoomTick(long Number, TimeSpan Elapsed, long Missed, TimeSpan Drift);
