namespace PlayChat.Benchmark.Run;

/// <summary>The clock of a run: nanoseconds since its start, by the monotonic clock. Thread-safe.</summary>
internal sealed class RunClock
{
    private static readonly double s_nanosecondsPerTick = 1e9 / Stopwatch.Frequency;

    private readonly DateTimeOffset _startedAt = DateTimeOffset.UtcNow;
    private readonly long _start = Stopwatch.GetTimestamp();

    /// <summary>The present time. Reading it takes about 25 ns.</summary>
    public long Nanoseconds => (long)((Stopwatch.GetTimestamp() - _start) * s_nanosecondsPerTick);

    /// <summary>Converts a time of this clock to the wall clock, to find what another process wrote at that time.</summary>
    public DateTimeOffset ToWallClock(long nanoseconds) => _startedAt + TimeSpan.FromMicroseconds(nanoseconds / 1000d);
}

/// <summary>The measured time on the run's clock, from <see cref="StartNanoseconds"/> to before <see cref="EndNanoseconds"/>.</summary>
/// <remarks>
/// The window is known before the first message that it counts is sent, so a message's time alone decides whether it counts, and sender
/// and receiver agree. Only an early end (an interrupt, or nothing left to send) moves the end, and never to a time that has passed.
/// Thread-safe.
/// </remarks>
internal sealed class MeasureWindow(long startNanoseconds, long endNanoseconds)
{
    private long _start = startNanoseconds;
    private long _end = endNanoseconds;

    public long StartNanoseconds => Volatile.Read(ref _start);

    public long EndNanoseconds => Volatile.Read(ref _end);

    public double Seconds => Math.Max(0, EndNanoseconds - StartNanoseconds) / 1e9;

    public bool Contains(long nanoseconds) => nanoseconds >= StartNanoseconds && nanoseconds < EndNanoseconds;

    /// <summary>A window that counts nothing until <see cref="BeginAt"/>.</summary>
    public static MeasureWindow NotKnown() => new(long.MaxValue, long.MaxValue);

    /// <summary>Sets the window, once, to a time that lies ahead: threads see it within moments.</summary>
    public void BeginAt(long startNanoseconds, long endNanoseconds)
    {
        Volatile.Write(ref _end, endNanoseconds); // before the start, so that no thread sees the start without its end
        Volatile.Write(ref _start, startNanoseconds);
    }

    /// <summary>Ends the window at this time, unless it has ended before.</summary>
    public void CutAt(long nanoseconds)
    {
        if (nanoseconds < EndNanoseconds)
        {
            Volatile.Write(ref _end, nanoseconds);
        }
    }
}
