using System.Diagnostics;

namespace PlayChat.Benchmark.Run;

/// <summary>The clock of a run: nanoseconds since its start, by the monotonic clock. Thread-safe.</summary>
/// <param name="startTimestamp">
/// The start, by <see cref="Stopwatch"/>, whose time is that of the whole machine: processes can share it.
/// </param>
internal sealed class RunClock(long startTimestamp)
{
    private static readonly double s_nanosecondsPerTick = 1e9 / Stopwatch.Frequency;

    private readonly DateTimeOffset _startedAt = DateTimeOffset.UtcNow - Stopwatch.GetElapsedTime(startTimestamp);

    /// <summary>Makes a clock that starts now.</summary>
    public RunClock()
        : this(Stopwatch.GetTimestamp())
    {
    }

    /// <summary>The start, by <see cref="Stopwatch"/>.</summary>
    public long StartTimestamp { get; } = startTimestamp;

    /// <summary>The present time. Reading it takes about 25 ns.</summary>
    public long Nanoseconds => (long)((Stopwatch.GetTimestamp() - StartTimestamp) * s_nanosecondsPerTick);

    /// <summary>Converts a time of this clock to the wall clock, to find what another process wrote at that time.</summary>
    public DateTimeOffset ToWallClock(long nanoseconds) => _startedAt + TimeSpan.FromMicroseconds(nanoseconds / 1000d);
}
