using System.Collections.Concurrent;

namespace PlayChat.Core.Rooms;

/// <summary>Runs the rooms that wait for their flush interval to pass, all of them together.</summary>
/// <remarks>
/// The ticks are common to all rooms of a server: one wake-up serves them all, and their sends go out in one burst. Thread-safe.
/// </remarks>
internal sealed class FlushTicker : IDisposable
{
    private readonly ConcurrentQueue<Room> _waiting = new();
    private readonly TimeProvider _time;
    private readonly long _intervalTicks;
    private readonly ITimer _timer;
    private int _armed;

    internal FlushTicker(TimeProvider time, TimeSpan interval)
    {
        _time = time;
        _intervalTicks = Math.Max(1, (long)(interval.TotalSeconds * time.TimestampFrequency));
        // The runtime's own timers are exact to a tick of the system's clock, up to 4 ms on Linux and 16 ms on Windows.
        _timer = ReferenceEquals(time, TimeProvider.System)
            ? new ThreadTimer(Tick, "PlayChat flush")
            : time.CreateTimer(static state => ((FlushTicker)state!).Tick(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Ticks no more: what waits, or comes later, runs at once.</summary>
    public void Dispose()
    {
        _timer.Dispose();
        Tick();
    }

    /// <summary>Lets a room have its turn at the next tick, on the thread pool.</summary>
    internal void Add(Room room)
    {
        _waiting.Enqueue(room);
        if (Volatile.Read(ref _armed) == 1 || Interlocked.Exchange(ref _armed, 1) == 1)
        {
            return;
        }

        long untilTick = _intervalTicks - (_time.GetTimestamp() % _intervalTicks);
        if (!_timer.Change(TimeSpan.FromSeconds((double)untilTick / _time.TimestampFrequency), Timeout.InfiniteTimeSpan))
        {
            Tick();
        }
    }

    private void Tick()
    {
        // Before the queue is emptied: who comes later arms it again.
        Interlocked.Exchange(ref _armed, 0);
        while (_waiting.TryDequeue(out Room? room))
        {
            room.OnInterval();
        }
    }
}
