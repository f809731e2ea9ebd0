using System.Diagnostics;

namespace PlayChat.Storage;

/// <summary>How often a store did one kind of work, how long it took, and how often it failed. Thread-safe.</summary>
public sealed class OperationMetrics
{
    private long _count;
    private long _failures;
    private long _ticks;
    private long _maxTicks;

    internal OperationMetrics()
    {
    }

    /// <summary>Called with the seconds that each call took, on the thread on which the call ended.</summary>
    internal Action<double>? Recorded { get; set; }

    /// <summary>Calls that have ended, failed ones included; cancelled ones are not counted.</summary>
    public long Count => Interlocked.Read(ref _count);

    /// <summary>Calls that ended with a <see cref="StorageException"/>.</summary>
    public long Failures => Interlocked.Read(ref _failures);

    /// <summary>Time from call to end, waiting and repeated tries included, summed over all calls, in milliseconds.</summary>
    public double TotalMilliseconds => ToMilliseconds(Interlocked.Read(ref _ticks));

    /// <summary>The longest time of an operation in milliseconds.</summary>
    public double MaxMilliseconds => ToMilliseconds(Interlocked.Read(ref _maxTicks));

    internal void Record(long ticks, bool failed)
    {
        Interlocked.Increment(ref _count);
        Interlocked.Add(ref _ticks, ticks);
        InterlockedMaximum.Raise(ref _maxTicks, ticks);
        if (failed)
        {
            Interlocked.Increment(ref _failures);
        }

        Recorded?.Invoke((double)ticks / Stopwatch.Frequency);
    }

    private static double ToMilliseconds(long ticks) => ticks * 1000.0 / Stopwatch.Frequency;
}
