namespace PlayChat.Core.Diagnostics;

/// <summary>Peaks between any two of many marks, whoever set them.</summary>
/// <remarks>
/// A peak that each reader resets is wrong as soon as there are two readers. Here a mark ends one stretch of time and begins
/// the next, and keeps the peaks of the stretches before it; an interval is the highest of the stretches between its two
/// marks, so the marks that other readers set in between only divide it further. Bounded: an interval across more than
/// <see cref="Capacity"/> marks gets the peaks since the start.
/// </remarks>
internal sealed class PeakHistory
{
    /// <summary>With one snapshot a second, intervals of eight minutes are exact; 12 KB for each snapshot.</summary>
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

    /// <summary>Ends the present stretch. One caller at a time; observing goes on meanwhile.</summary>
    /// <param name="sendBuffersInUse">The level at this moment: it belongs to both stretches.</param>
    /// <param name="poolInUse">The pools' level at this moment.</param>
    /// <param name="poolPeak">The pools' own peak since their start.</param>
    internal PeakMark Mark(long sendBuffersInUse, long poolInUse, long poolPeak)
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

        return new PeakMark(_number, _sinceStart, [.. _recent]);
    }
}
