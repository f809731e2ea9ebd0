using System.Diagnostics;

namespace PlayChat.Benchmark.Run;

/// <summary>The run's one clock: nanoseconds since it was made, by the monotonic clock. Thread-safe.</summary>
internal sealed class RunClock
{
    private static readonly double s_nanosecondsPerTick = 1e9 / Stopwatch.Frequency;

    private readonly long _start = Stopwatch.GetTimestamp();
    private readonly DateTimeOffset _startedAt = DateTimeOffset.UtcNow;

    /// <summary>Since the clock was made; about 25 ns to read.</summary>
    public long Nanoseconds => (long)((Stopwatch.GetTimestamp() - _start) * s_nanosecondsPerTick);

    /// <summary>The wall clock's time at a moment of this clock, to find what another process wrote down then.</summary>
    public DateTimeOffset ToWallClock(long nanoseconds) => _startedAt + TimeSpan.FromMicroseconds(nanoseconds / 1000d);
}
