namespace PlayChat.Core.Rooms;

/// <summary>One tick of a room.</summary>
public readonly record struct RoomTick
{
    internal RoomTick(long number, TimeSpan elapsed, long missed, TimeSpan drift)
    {
        Number = number;
        Elapsed = elapsed;
        Missed = missed;
        Drift = drift;
    }

    /// <summary>The number of the tick, counted from 1 since <see cref="Room.StartTick"/>, missed ones included.</summary>
    public long Number { get; }

    /// <summary>
    /// The time by which the game advances: one period for this tick and one for each missed tick. Lateness does not change it.
    /// </summary>
    public TimeSpan Elapsed { get; }

    /// <summary>The number of ticks directly before this one that could not run before the next was due. They do not run later.</summary>
    public long Missed { get; }

    /// <summary>The time by which this tick is late.</summary>
    public TimeSpan Drift { get; }
}
