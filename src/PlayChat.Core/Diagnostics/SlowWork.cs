namespace PlayChat.Core.Diagnostics;

/// <summary>
/// Notices handlers and turns of rooms that take too long, counts them, and bounds the log lines about them. Thread-safe.
/// </summary>
/// <remarks>A line for each place in 10 seconds, and 20 lines in all. The next line says how many were left out.</remarks>
internal sealed class SlowWork(TimeProvider time, ServerMetrics metrics)
{
    /// <summary>How long a handler or a step of a room may take, in milliseconds: far more than one needs that does not block.</summary>
    internal const int PatienceMilliseconds = 100;

    private const int MaxLines = 20;
    private const int IntervalMilliseconds = 10_000;

    private readonly TimeProvider? _time = ReferenceEquals(time, TimeProvider.System) ? null : time;
    private readonly HashSet<long> _told = []; // in this interval; locked while anything here is used
    private long _intervalEnd = long.MinValue;
    private int _leftOut;

    /// <summary>Milliseconds since some moment, exact to a few, to be given to <see cref="Lap"/> later. Reading them takes a third of what
    /// the system's exact time takes.</summary>
    internal long Now => _time is null ? Environment.TickCount64 : _time.GetTimestamp() / (_time.TimestampFrequency / 1000);

    /// <summary>Measures a step, counts it if it was slow, and begins the next one.</summary>
    /// <param name="began">When the step began; set to the present.</param>
    /// <returns>The milliseconds that it took, if they are too many; else 0.</returns>
    internal int Lap(ref long began)
    {
        long now = Now;
        long took = now - began;
        began = now;
        if (took <= PatienceMilliseconds)
        {
            return 0;
        }

        metrics.Add(Counter.SlowHandlers);
        return (int)took;
    }

    /// <summary>Asks for a log line about slow work.</summary>
    /// <param name="place">Where it was: a room, or a kind of packet.</param>
    /// <param name="leftOut">How many lines were left out before this one.</param>
    internal bool TryTake(long place, out int leftOut)
    {
        long now = Now;
        lock (_told)
        {
            if (now >= _intervalEnd)
            {
                _intervalEnd = now + IntervalMilliseconds;
                _told.Clear();
            }

            leftOut = _leftOut;
            if (_told.Count >= MaxLines || !_told.Add(place))
            {
                _leftOut++;
                return false;
            }

            _leftOut = 0;
            return true;
        }
    }
}
