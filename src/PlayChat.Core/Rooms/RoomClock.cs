namespace PlayChat.Core.Rooms;

/// <summary>Wakes the rooms of a server when their next timer is due or their flush interval has passed. Thread-safe.</summary>
/// <remarks>Each room stands in it once with its earliest timer, while it has one, and once while it waits for a flush on no event loop.</remarks>
internal sealed class RoomClock : IDisposable
{
    // Longer than any timer of a clock can be set for is asked again.
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
        // The runtime's own timers are exact to a tick of the system's clock, up to 4 ms on Linux and 16 ms on Windows.
        _timer = ReferenceEquals(time, TimeProvider.System)
            ? new ThreadTimer(Wake, "PlayChat rooms")
            : time.CreateTimer(static state => ((RoomClock)state!).Wake(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Wakes rooms that wait for a flush, and nobody any more.</summary>
    public void Dispose()
    {
        lock (_gate)
        {
            _disposed = true;
        }

        _timer.Dispose();
        Wake();
    }

    /// <summary>Says when a room is to be woken, once; the largest number for never.</summary>
    /// <returns><see langword="false"/>: it has been disposed of, and wakes nobody.</returns>
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
                    _armed = long.MaxValue; // it has gone off
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
