namespace PlayChat.Benchmark.Run;

/// <summary>The time that is measured, on the run's clock: from <see cref="StartNanoseconds"/> up to, not including, <see cref="EndNanoseconds"/>.</summary>
/// <remarks>
/// Known before the first message is sent, so whoever handles a message decides by its time alone whether it counts, and sender and
/// receiver decide alike. Only an early end (interrupted, or nothing left to send) moves the end, and never to a time that has passed.
/// Thread-safe.
/// </remarks>
internal sealed class MeasureWindow(long startNanoseconds, long endNanoseconds)
{
    private long _end = endNanoseconds;

    public long StartNanoseconds { get; } = startNanoseconds;

    public long EndNanoseconds => Volatile.Read(ref _end);

    public double Seconds => Math.Max(0, EndNanoseconds - StartNanoseconds) / 1e9;

    public bool Contains(long nanoseconds) => nanoseconds >= StartNanoseconds && nanoseconds < EndNanoseconds;

    /// <summary>Ends it at a moment unless it has ended before.</summary>
    public void CutAt(long nanoseconds)
    {
        if (nanoseconds < EndNanoseconds)
        {
            Volatile.Write(ref _end, nanoseconds);
        }
    }
}
