namespace PlayChat.Core.Diagnostics;

/// <summary>The highest of the values that were observed since it was last taken. Thread-safe, no lock.</summary>
/// <remarks>Observing only reads, unless the value is a new peak. Padded: neighbours on the heap must not slow the readers down.</remarks>
[StructLayout(LayoutKind.Explicit, Size = 256)]
internal sealed class PeakGauge
{
    [FieldOffset(128)]
    private long _peak;

    internal void Observe(long value)
    {
        long peak = Volatile.Read(ref _peak);
        while (value > peak)
        {
            long seen = Interlocked.CompareExchange(ref _peak, value, peak);
            if (seen == peak)
            {
                return;
            }

            peak = seen;
        }
    }

    /// <summary>Ends a stretch and begins the next: every value observed counts in exactly one of them.</summary>
    /// <param name="next">What the next stretch starts with: a level that lasts, such as buffers in use.</param>
    internal long Take(long next) => Interlocked.Exchange(ref _peak, next);
}
