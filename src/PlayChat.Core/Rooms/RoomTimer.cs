namespace PlayChat.Core.Rooms;

/// <summary>A timer of a room. Use it only in the room's turn.</summary>
public sealed class RoomTimer : IDue
{
    private readonly RoomTimers _owner;
    private readonly double _period; // in ticks of the server's clock; 0 for once
    private readonly long _origin;
    private long _next; // of the next time, counted from the origin

    /// <param name="owner">The timers of the room.</param>
    /// <param name="job">The job to run; <see langword="null"/> for the room's tick.</param>
    /// <param name="origin">The time when it is due, or from which its periods are counted.</param>
    /// <param name="period">In ticks of the server's clock; 0 for once.</param>
    internal RoomTimer(RoomTimers owner, Action? job, long origin, double period = 0)
    {
        _owner = owner;
        Job = job;
        _origin = origin;
        _period = period;
    }

    /// <summary>Counts the timers that the room has started, from 1; 0 for the tick, and for timers of a <see cref="RoomRole"/>.</summary>
    internal long Number { get; set; }

    /// <summary>The delay or the period for which it was started.</summary>
    internal TimeSpan Delay { get; init; }

    /// <summary>Whether the timer will run again.</summary>
    internal bool IsActive => ((IDue)this).HeapIndex >= 0;

    int IDue.HeapIndex { get; set; } = -1;

    internal Action? Job { get; }

    /// <summary>Stops the timer; does nothing if it has ended. The timer's own job may call it.</summary>
    /// <exception cref="InvalidOperationException">The caller is not in the room's turn.</exception>
    public void Cancel() => _owner.Cancel(this);

    /// <summary>Starts with the first time after the present.</summary>
    internal void Start(long now)
    {
        _next = _period == 0 ? 0 : NumberAt(now) + 1;
        _owner.Set(this, DueOf(_next));
    }

    /// <summary>Sets the timer to the next time after the present; a timer without a period ends.</summary>
    /// <returns>The latest time that was due, and the number of missed times before it.</returns>
    internal (long Due, long Missed) Advance(long now)
    {
        if (_period == 0)
        {
            _owner.Remove(this);
            return (_origin, 0);
        }

        long latest = Math.Max(_next, NumberAt(now));
        long missed = latest - _next;
        _next = latest + 1;
        _owner.Set(this, DueOf(_next));
        return (DueOf(latest), missed);
    }

    // Each time is computed from the origin, so that no error adds up.
    private long DueOf(long number) => _origin + (long)(number * _period);

    /// <summary>Returns the number of the latest time that is not in the future.</summary>
    private long NumberAt(long now)
    {
        long number = (long)Math.Floor((now - _origin) / _period);
        return DueOf(number + 1) <= now ? number + 1 : DueOf(number) > now ? number - 1 : number;
    }
}
