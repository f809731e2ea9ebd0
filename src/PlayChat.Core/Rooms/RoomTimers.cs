namespace PlayChat.Core.Rooms;

/// <summary>The timers of a room. For its turn alone, but for <see cref="Wake"/> and <see cref="IsDue"/>.</summary>
internal sealed class RoomTimers(Room room, RoomClock clock) : IWakeable
{
    private readonly DueHeap<RoomTimer> _heap = new();
    private long _asked = long.MaxValue; // when the clock is to wake the room
    private int _isDue;

    int IDue.Place { get; set; } = -1; // in the clock

    /// <summary>Whether the clock has woken the room, and it has not looked yet.</summary>
    internal bool IsDue => Volatile.Read(ref _isDue) == 1;

    /// <summary>What is set from now on is not due in this turn.</summary>
    internal long NextOrder => _heap.NextOrder;

    /// <summary>Called by the clock.</summary>
    public void Wake()
    {
        // Full barrier: either the end of the turn sees it, or the turn is over and another one is scheduled.
        Interlocked.Exchange(ref _isDue, 1);
        room.ScheduleTimers();
    }

    /// <summary>The room looks what is due.</summary>
    internal void Look()
    {
        Volatile.Write(ref _isDue, 0);
        _asked = long.MaxValue; // the clock has forgotten it
    }

    /// <summary>The room has not come to all that is due, and takes another turn for it.</summary>
    internal void LookAgain() => Volatile.Write(ref _isDue, 1);

    /// <summary>The first timer that is due and was set before an order.</summary>
    internal RoomTimer? FindDue(long now, long order) => _heap.FindDue(now, order);

    internal void Set(RoomTimer timer, long due) => _heap.Set(timer, due);

    internal void Remove(RoomTimer timer) => _heap.Remove(timer);

    /// <summary>At the end of a turn: the clock wakes the room for the first of its timers.</summary>
    internal void Arm()
    {
        // When it has woken the room already, the next turn comes here again.
        if (_heap.NextDue != _asked && !IsDue)
        {
            _asked = _heap.NextDue;
            clock.Set(this, _asked);
        }
    }

    /// <summary>The room has ended.</summary>
    internal void Clear()
    {
        _heap.Clear();
        clock.Set(this, long.MaxValue);
    }
}
