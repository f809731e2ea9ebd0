namespace PlayChat.Core.Hosting;

/// <summary>The deadlines of the handshakes that an endpoint runs at once.</summary>
/// <remarks>
/// They share one timer. A timer for each would be most of what a short handshake leaves behind, and in a rush of connections that is the
/// memory of the server until the next collection. Thread-safe.
/// </remarks>
internal sealed class HandshakeDeadlines
{
    private readonly HashSet<HandshakeDeadline> _running = []; // guarded by itself, like all below
    private readonly TimeProvider _time;
    private readonly ITimer _timer;
    private long _firesAt = long.MaxValue; // a timestamp; MaxValue while the timer is not set
    private bool _hasStopped;

    internal HandshakeDeadlines(TimeProvider time)
    {
        _time = time;
        _timer = time.CreateTimer(
            static deadlines => ((HandshakeDeadlines)deadlines!).OnTimer(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Starts the time of a step. When <see cref="Stop"/> was called, the link is aborted at once.</summary>
    internal HandshakeDeadline Start(TransportConnection link, TimeSpan timeout)
    {
        long now = _time.GetTimestamp();
        var deadline = new HandshakeDeadline(this, link, now + (long)(timeout.TotalSeconds * _time.TimestampFrequency));
        bool hasStopped;
        lock (_running)
        {
            hasStopped = _hasStopped;
            if (!hasStopped)
            {
                _running.Add(deadline);
                FireAt(deadline.EndsAt, now);
            }
        }

        if (hasStopped)
        {
            deadline.Abort(isLate: false);
        }

        return deadline;
    }

    /// <summary>Forgets a step that is done. The timer stays set, because the next step most likely needs it.</summary>
    internal void Remove(HandshakeDeadline deadline)
    {
        lock (_running)
        {
            _running.Remove(deadline);
        }
    }

    /// <summary>Aborts the links of all steps: the server stops.</summary>
    internal void Stop()
    {
        HandshakeDeadline[] all;
        lock (_running)
        {
            _hasStopped = true;
            all = [.. _running];
            _running.Clear();
        }

        _timer.Dispose();
        Abort(all, isLate: false);
    }

    private void OnTimer()
    {
        HandshakeDeadline[] late;
        lock (_running)
        {
            long now = _time.GetTimestamp();
            late = [.. _running.Where(deadline => deadline.EndsAt <= now)];
            _running.ExceptWith(late);
            _firesAt = long.MaxValue;
            if (_running.Count > 0)
            {
                FireAt(_running.Min(static deadline => deadline.EndsAt), now);
            }
        }

        Abort(late, isLate: true);
    }

    // Outside the lock, because an abort can continue the handshake on this thread.
    private static void Abort(HandshakeDeadline[] deadlines, bool isLate)
    {
        foreach (HandshakeDeadline deadline in deadlines)
        {
            deadline.Abort(isLate);
        }
    }

    // The timer has steps of a millisecond, so it is set to the next whole one.
    private void FireAt(long timestamp, long now)
    {
        if (timestamp < _firesAt)
        {
            _firesAt = timestamp;
            _timer.Change(
                TimeSpan.FromMilliseconds(Math.Ceiling(_time.GetElapsedTime(now, timestamp).TotalMilliseconds)), Timeout.InfiniteTimeSpan);
        }
    }
}
