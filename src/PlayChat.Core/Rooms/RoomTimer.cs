namespace PlayChat.Core.Rooms;

/// <summary>A timer of a room. For the room's turn alone.</summary>
public sealed class RoomTimer : IDue
{
    private readonly RoomTimers _owner;
    private readonly double _period; // in ticks of the server's clock; 0 for once
    private readonly long _origin;
    private long _number; // of the time that comes next, counted from the origin

    /// <param name="owner">The room's.</param>
    /// <param name="job">What it does; <see langword="null"/> for the room's tick.</param>
    /// <param name="origin">When it is due, or from when its periods are counted.</param>
    /// <param name="period">In ticks of the server's clock; 0 for once.</param>
    internal RoomTimer(RoomTimers owner, Action? job, long origin, double period = 0)
    {
        _owner = owner;
        Job = job;
        _origin = origin;
        _period = period;
    }

    /// <summary>Whether it will still come.</summary>
    public bool IsActive => ((IDue)this).Place >= 0;

    int IDue.Place { get; set; } = -1;

    internal Action? Job { get; }

    /// <summary>Lets it come no more; nothing happens when it is over. May be called by what it runs.</summary>
    public void Cancel() => _owner.Remove(this);

    /// <summary>Begins, with the first time after the present.</summary>
    internal void Start(long now)
    {
        _number = _period == 0 ? 0 : NumberAt(now) + 1;
        _owner.Set(this, DueOf(_number));
    }

    /// <summary>Passes over to the next time after the present.</summary>
    /// <returns>When the latest one was due, and how many before it have been missed.</returns>
    internal (long Due, long Missed) Pass(long now)
    {
        if (_period == 0)
        {
            _owner.Remove(this);
            return (_origin, 0);
        }

        long latest = Math.Max(_number, NumberAt(now));
        long missed = latest - _number;
        _number = latest + 1;
        _owner.Set(this, DueOf(_number));
        return (DueOf(latest), missed);
    }

    // Each from the origin, so that no error adds up.
    private long DueOf(long number) => _origin + (long)(number * _period);

    /// <summary>The number of the latest time that is not in the future.</summary>
    private long NumberAt(long now)
    {
        long number = (long)Math.Floor((now - _origin) / _period);
        return DueOf(number + 1) <= now ? number + 1 : DueOf(number) > now ? number - 1 : number;
    }
}
