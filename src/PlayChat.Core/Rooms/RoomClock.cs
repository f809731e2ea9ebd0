namespace PlayChat.Core.Rooms;

/// <summary>Wakes the rooms of a server when their next timer is due or their flush interval has passed. Thread-safe.</summary>
/// <remarks>
/// Invariant: a room is in <c>_rooms</c> at most twice: with its <see cref="RoomTimers"/> while it has a timer, and with its
/// <see cref="FlushWait"/> while it waits for a flush outside an event loop. <c>_armed</c> is the time for which the timer is set.
/// </remarks>
internal sealed class RoomClock : IDisposable
{
    // A timer has a longest time, so a longer wait is split.
    private static readonly TimeSpan s_longestWait = TimeSpan.FromHours(1);

    private readonly object _gate = new();
    private readonly DueHeap<IWakeable> _rooms = new(); // guarded by _gate, like the next
    private readonly TimeProvider _time;
    private readonly ITimer _timer;
    private long _armed = long.MaxValue;
    private volatile bool _disposed; // written under _gate

    internal RoomClock(TimeProvider time)
    {
        _time = time;
        // The runtime's own timers are only as exact as a tick of the system's clock: up to 4 ms on Linux and 16 ms on Windows.
        _timer = ReferenceEquals(time, TimeProvider.System)
            ? new ThreadTimer(Wake, "PlayChat rooms")
            : time.CreateTimer(static state => ((RoomClock)state!).Wake(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Wakes the rooms that wait for a flush, and from then on no room.</summary>
    public void Dispose()
    {
        lock (_gate)
        {
            _disposed = true;
        }

        _timer.Dispose();
        Wake();
    }

    /// <summary>Sets the time at which a room is woken, once; <see cref="long.MaxValue"/> for never.</summary>
    /// <returns><see langword="false"/> if the clock was disposed; it then wakes no room.</returns>
    internal bool Set(IWakeable room, long due)
    {
        lock (_gate)
        {
            if (_disposed)
            {
                return false;
            }

            if (due == long.MaxValue)
            {
                _rooms.Remove(room);
            }
            else
            {
                _rooms.Set(room, due);
            }

            Arm();
            return true;
        }
    }

    private void Wake()
    {
        while (true)
        {
            IWakeable? room;
            lock (_gate)
            {
                room = _rooms.FindDue(_disposed ? long.MaxValue : _time.GetTimestamp());
                if (room is null)
                {
                    _armed = long.MaxValue; // the timer has fired
                    Arm();
                    return;
                }

                _rooms.Remove(room);
            }

            if (!_disposed || room is FlushWait)
            {
                room.Wake();
            }
        }
    }

    private void Arm()
    {
        long due = _rooms.NextDue;
        if (due == _armed || _disposed)
        {
            return;
        }

        _armed = due;
        if (due == long.MaxValue)
        {
            _timer.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
            return;
        }

        double seconds = (double)Math.Max(0, due - _time.GetTimestamp()) / _time.TimestampFrequency;
        _timer.Change(seconds < s_longestWait.TotalSeconds ? TimeSpan.FromSeconds(seconds) : s_longestWait, Timeout.InfiniteTimeSpan);
    }
}
