namespace PlayChat.Core.Diagnostics;

/// <summary>Peaks since any of many marks, set by any number of readers.</summary>
/// <remarks>
/// A peak that each reader resets is wrong as soon as there are two readers. Here a mark ends one stretch of time and begins the next, and
/// the peaks of the last stretches are kept. What a reader sees since its own last mark is the highest of the stretches in between, so
/// marks that other readers set only divide that time further. Bounded: since a mark that is more than <see cref="Capacity"/> stretches
/// old, a reader gets the peaks since the start.
/// </remarks>
internal sealed class PeakHistory
{
    /// <summary>With one mark a second, the last eight minutes are exact; 12 KB.</summary>
    internal const int Capacity = 512;

    private readonly Queue<Peaks> _recent = new();
    private readonly PeakGauge _queueDepth = new();
    private readonly PeakGauge _sendBuffers = new();
    private Peaks _sinceStart;
    private long _number;
    private long _poolInUse;
    private long _poolPeak;

    internal void ObserveQueueDepth(long depth) => _queueDepth.Observe(depth);

    internal void ObserveSendBuffers(long inUse) => _sendBuffers.Observe(inUse);

    /// <summary>Ends the present stretch. The caller holds a lock; values are observed meanwhile.</summary>
    /// <param name="sendBuffersInUse">The level at this moment: it belongs to both stretches.</param>
    /// <param name="poolInUse">The pools' level at this moment.</param>
    /// <param name="poolPeak">The pools' own peak since their start.</param>
    /// <returns>The mark's number: how many stretches have ended, this one included.</returns>
    internal long Mark(long sendBuffersInUse, long poolInUse, long poolPeak)
    {
        // A pool knows its peak since its start alone. When that has risen, it was reached in this stretch; when not, the
        // higher of the levels at both ends is what is known.
        long pool = poolPeak > _poolPeak ? poolPeak : Math.Max(poolInUse, _poolInUse);
        _poolPeak = Math.Max(poolPeak, _poolPeak);
        _poolInUse = poolInUse;

        long sendBuffers = Math.Max(_sendBuffers.Take(sendBuffersInUse), sendBuffersInUse);
        var peaks = new Peaks(_queueDepth.Take(0), sendBuffers, pool);
        _sinceStart = Peaks.Max(_sinceStart, peaks);
        _number++;
        _recent.Enqueue(peaks);
        if (_recent.Count > Capacity)
        {
            _recent.Dequeue();
        }

        return _number;
    }

    /// <summary>The peaks from an earlier mark to the newest. The caller holds the lock of <see cref="Mark"/>.</summary>
    /// <param name="mark">The number of the earlier mark; 0 for the start.</param>
    internal Peaks Since(long mark)
    {
        long stretches = _number - mark;
        if (mark == 0 || stretches > _recent.Count)
        {
            return _sinceStart;
        }

        Peaks peaks = default;
        foreach (Peaks stretch in _recent.Skip(_recent.Count - (int)stretches))
        {
            peaks = Peaks.Max(peaks, stretch);
        }

        return peaks;
    }

    /// <summary>The highest of the values that were observed since it was last taken. Thread-safe, no lock.</summary>
    /// <remarks>Observing only reads, unless the value is a new peak. Padded: neighbours on the heap must not slow the readers
    /// down.</remarks>
    [StructLayout(LayoutKind.Explicit, Size = 256)]
    private sealed class PeakGauge
    {
        [FieldOffset(128)]
        private long _peak;

        internal void Observe(long value) => InterlockedMaximum.Raise(ref _peak, value);

        /// <summary>Ends a stretch and begins the next: every value observed counts in exactly one of them.</summary>
        /// <param name="next">What the next stretch starts with: a level that lasts, such as buffers in use.</param>
        internal long Take(long next) => Interlocked.Exchange(ref _peak, next);
    }
}
