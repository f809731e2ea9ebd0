namespace PlayChat.Core.Rooms;

/// <summary>A timer with a thread of its own, as exact as the system's sleep: for intervals of a few milliseconds.</summary>
/// <remarks>
/// Each <see cref="Change"/> causes one call of the callback on that thread, so the callback must be short. The first one starts the
/// thread.
/// </remarks>
internal sealed class ThreadTimer(Action callback, string name) : ITimer
{
    private readonly object _gate = new();
    private Thread? _thread; // guarded by _gate, like the next
    private long _due = long.MaxValue;
    private bool _disposed;

    public bool Change(TimeSpan dueTime, TimeSpan period)
    {
        lock (_gate)
        {
            if (_disposed)
            {
                return false;
            }

            _due = dueTime == Timeout.InfiniteTimeSpan
                ? long.MaxValue
                : TimeProvider.System.GetTimestamp() + (long)(dueTime.TotalSeconds * TimeProvider.System.TimestampFrequency);
            if (_thread is null)
            {
                _thread = new Thread(Run) { IsBackground = true, Name = name };
                _thread.UnsafeStart();
            }

            Monitor.Pulse(_gate);
            return true;
        }
    }

    public void Dispose()
    {
        lock (_gate)
        {
            _disposed = true;
            Monitor.Pulse(_gate);
        }
    }

    public ValueTask DisposeAsync()
    {
        Dispose();
        return ValueTask.CompletedTask;
    }

    private void Run()
    {
        while (WaitUntilDue())
        {
            callback();
        }
    }

    private bool WaitUntilDue()
    {
        lock (_gate)
        {
            while (!_disposed)
            {
                if (_due == long.MaxValue)
                {
                    Monitor.Wait(_gate);
                    continue;
                }

                double milliseconds = (_due - TimeProvider.System.GetTimestamp()) * 1000d / TimeProvider.System.TimestampFrequency;
                if (milliseconds <= 0)
                {
                    _due = long.MaxValue;
                    return true;
                }

                Monitor.Wait(_gate, (int)Math.Ceiling(milliseconds));
            }

            return false;
        }
    }
}
