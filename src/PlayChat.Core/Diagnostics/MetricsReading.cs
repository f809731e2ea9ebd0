namespace PlayChat.Core.Diagnostics;

/// <summary>All figures of a server at one moment. Immutable; made by <see cref="ServerMetrics.ReadAll"/>.</summary>
public sealed class MetricsReading
{
    private readonly long[] _totals;
    private readonly long[] _closes;
    private readonly PoolStatistics _pool;
    private readonly long _sendBuffersInUse;

    internal MetricsReading(
        ServerMetrics source,
        long[] totals,
        long[] closes,
        PoolStatistics pool,
        long sendBuffersInUse,
        LatencyBuckets latency,
        long mark,
        Peaks peaks)
    {
        Source = source;
        Latency = latency;
        Mark = mark;
        Peaks = peaks;
        _totals = totals;
        _closes = closes;
        _pool = pool;
        _sendBuffersInUse = sendBuffersInUse;
    }

    /// <summary>When it was made, by the wall clock, in UTC.</summary>
    public DateTimeOffset Timestamp { get; internal init; }

    /// <summary>How long the server had been counting, by the monotonic clock.</summary>
    public TimeSpan Elapsed { get; internal init; }

    /// <summary>
    /// The times from the receipt of a frame to the hand-over of what it caused to the sockets, for all frames since the start: counts by
    /// duration in nanoseconds, with 128 buckets of equal width for each power of two.
    /// </summary>
    /// <remarks>
    /// For programs that need more than the quantiles of <c>playchat.message.duration</c>: the difference of two readings of one server
    /// tells of the time between them. Bucket i below 128 counts the duration i. Above, with s = i / 128 − 1, bucket i counts the 2^s
    /// durations from (128 + i mod 128) · 2^s on. The last bucket also counts everything longer.
    /// </remarks>
    public ReadOnlySpan<long> LatencyBuckets => Latency.Fine;

    /// <summary>
    /// Exact counts of the same durations in seven classes: up to 100 µs, 500 µs, 1 ms, 5 ms, 10 ms, 50 ms, and longer. Each duration is in
    /// one class.
    /// </summary>
    public ReadOnlySpan<long> LatencyClasses => Latency.Coarse;

    /// <summary>The sum of the same durations in nanoseconds.</summary>
    public UInt128 LatencySumNanoseconds => Latency.SumNanoseconds;

    /// <summary>The longest of the same durations in nanoseconds; 0 when there was none.</summary>
    public long LatencyMaxNanoseconds => Latency.MaxNanoseconds;

    /// <summary>
    /// How late ticks of rooms ran in the last window (99th percentile), as <c>playchat.room.tick.drift</c> tells; <see langword="null"/>
    /// before the first tick.
    /// </summary>
    public TimeSpan? TickDriftP99 { get; internal init; }

    /// <summary>
    /// How late all ticks of rooms ran since the start: counts by duration, in the buckets of <see cref="LatencyBuckets"/>; empty before
    /// the first tick.
    /// </summary>
    public ReadOnlySpan<long> TickDriftBuckets => TickDrift is { } drift ? drift.Fine : [];

    /// <summary>The sum of the same durations in nanoseconds.</summary>
    public UInt128 TickDriftSumNanoseconds => TickDrift?.SumNanoseconds ?? UInt128.Zero;

    internal LatencyBuckets? TickDrift { get; init; }

    internal LatencyBuckets Latency { get; }

    internal ServerMetrics Source { get; }

    /// <summary>The number of the mark in the server's <see cref="PeakHistory"/>.</summary>
    internal long Mark { get; }

    internal Peaks Peaks { get; }

    /// <summary>Returns a figure by the name of its instrument.</summary>
    /// <param name="instrument">
    /// A counter, an up-down counter or a peak of <see cref="PlayChatMeter"/>, for example <c>playchat.frames.received</c>.
    /// </param>
    /// <returns>
    /// A counter's total since the start; an up-down counter's present value; the highest value since the reading that was passed to
    /// <see cref="ServerMetrics.ReadAll"/> (or since the start), for <c>playchat.room.queue.peak</c>, <c>playchat.send_buffer.peak</c> and
    /// <c>playchat.pool.peak</c>.
    /// </returns>
    /// <exception cref="ArgumentException">No such instrument, or one with tags: these figures have members of their own.</exception>
    public long Get(string instrument)
    {
        ArgumentNullException.ThrowIfNull(instrument);
        return CounterInstrument.CounterOf.TryGetValue(instrument, out Counter counter) ? Total(counter) : instrument switch
        {
            PlayChatMeter.ConnectionsActive => Math.Max(0, Total(Counter.ConnectionsAccepted) - _closes.Sum()),
            PlayChatMeter.SessionsActive => Math.Max(0, Total(Counter.SessionsOpened) - Total(Counter.SessionsClosed)),
            PlayChatMeter.SessionsAway => Math.Max(0, Total(Counter.SessionsAway) - Total(Counter.SessionsNotAway)),
            PlayChatMeter.RoomsActive => Math.Max(0, Total(Counter.RoomsCreated) - Total(Counter.RoomsRemoved)),
            PlayChatMeter.RoomQueuePeak => Peaks.QueueDepth,
            PlayChatMeter.SendBufferInUse => _sendBuffersInUse,
            PlayChatMeter.SendBufferPeak => Peaks.SendBuffers,
            PlayChatMeter.PoolInUse => _pool.InUse,
            PlayChatMeter.PoolPeak => Peaks.PoolBuffers,
            PlayChatMeter.PoolRents => _pool.Rents,
            PlayChatMeter.PoolReturns => _pool.Returns,
            PlayChatMeter.PoolReuses => _pool.Reuses,
            _ => throw new ArgumentException($"There is no instrument '{instrument}' with a single whole number.", nameof(instrument)),
        };
    }

    /// <summary>Returns how many connections have ended for a reason.</summary>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="reason"/> is not a value of the enumeration.</exception>
    public long GetCloses(CloseReason reason)
    {
        ArgumentOutOfRangeException.ThrowIfNegative((int)reason, nameof(reason));
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((int)reason, _closes.Length, nameof(reason));
        return _closes[(int)reason];
    }

    private long Total(Counter counter) => _totals[(int)counter];
}
