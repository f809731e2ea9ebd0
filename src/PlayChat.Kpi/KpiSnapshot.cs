using System.Runtime.CompilerServices;

namespace PlayChat.Kpi;

/// <summary>
/// All figures of a server at one moment: totals since its start, present values, and what the process has used. Immutable.
/// </summary>
/// <remarks>
/// Two of them make a <see cref="KpiInterval"/>. Made by <see cref="KpiCollector.Snapshot"/>, or read again by
/// <see cref="KpiJson.TryParse"/>.
/// </remarks>
public sealed class KpiSnapshot
{
    private readonly Dictionary<string, long> _totals; // by the names of their properties
    private readonly long[] _closes;
    private readonly Lazy<LatencySummary> _latency;

    internal KpiSnapshot(
        object source,
        Dictionary<string, long> totals,
        long[] closes,
        LatencyHistogram latency,
        PeakMark mark,
        KpiExtra[] extras)
    {
        Source = source;
        Histogram = latency;
        Mark = mark;
        Extras = extras;
        _totals = totals;
        _closes = closes;
        _latency = new Lazy<LatencySummary>(latency.Summarize);
    }

    /// <summary>When it was taken, by the wall clock, in UTC.</summary>
    public DateTimeOffset Timestamp { get; internal init; }

    /// <summary>How long the server had been counting, by the monotonic clock.</summary>
    public TimeSpan Elapsed { get; internal init; }

    /// <summary>The CPU time and memory that the process has used.</summary>
    public ProcessFigures Process { get; internal init; }

    /// <summary>Latency of all frames since the start: from receipt of a frame to the hand-over of what it caused to the sockets.</summary>
    public LatencySummary Latency => _latency.Value;

    /// <summary>The figures that were added from outside, in the order in which they were added.</summary>
    public IReadOnlyList<KpiExtra> Extras { get; }

    /// <summary>Receive operations that moved bytes (<c>io r</c>).</summary>
    public long Receives => Total();

    /// <summary>Send operations that moved bytes (<c>io s</c>).</summary>
    public long Sends => Total();

    /// <summary>Bytes received, without what TLS adds.</summary>
    public long BytesReceived => Total();

    /// <summary>Bytes sent, without what TLS adds.</summary>
    public long BytesSent => Total();

    /// <summary>Frames received (<c>app in</c>).</summary>
    public long FramesReceived => Total();

    /// <summary>Frames sent, deliveries of broadcasts included (<c>app out</c>).</summary>
    public long FramesSent => Total();

    /// <summary>Frames that could not be sent: the peer's outbound bound was reached, or its connection had closed.</summary>
    public long FramesDropped => Total();

    /// <summary>
    /// Frames that were replaced by a newer one of the same key while they waited for a slow peer (<c>Delivery.LatestOnly</c>).
    /// </summary>
    public long FramesReplaced => Total();

    /// <summary>Frames that were dropped because too much waited for the peer already (<c>Delivery.DropIfBehind</c>).</summary>
    public long FramesSkipped => Total();

    /// <summary>Deliveries of broadcasts (<c>bc-deliv</c>): one for each message and member it was given to.</summary>
    public long Deliveries => Total();

    /// <summary>Items posted to rooms (<c>job e</c>).</summary>
    public long JobsEnqueued => Total();

    /// <summary>Items that rooms have executed (<c>job x</c>).</summary>
    public long JobsExecuted => Total();

    /// <summary>Items that rooms refused because their queue was full or they were closed.</summary>
    public long JobsRefused => Total();

    /// <summary>Pooled segments put in outbound queues (<c>sendbuf push</c>).</summary>
    public long SendBufferPushes => Total();

    /// <summary>Pooled segments that left outbound queues (<c>sendbuf pop</c>).</summary>
    public long SendBufferPops => Total();

    /// <summary>Buffers rented from the pool (<c>mpool alloc</c>).</summary>
    public long PoolRents => Total();

    /// <summary>Buffers returned to the pool (<c>mpool free</c>).</summary>
    public long PoolReturns => Total();

    /// <summary>Rents that were served without new memory.</summary>
    public long PoolReuses => Total();

    /// <summary>Connections accepted.</summary>
    public long ConnectionsAccepted => Total();

    /// <summary>Accepted connections that have ended; <see cref="GetCloses"/> says why.</summary>
    public long ConnectionsClosed => _closes.Sum();

    /// <summary>Connections that were refused, because the server or the address had reached its limit.</summary>
    public long ConnectionsRefused => Total();

    /// <summary>Sessions that began.</summary>
    public long SessionsOpened => Total();

    /// <summary>Sessions that ended.</summary>
    public long SessionsClosed => Total();

    /// <summary>Rooms made.</summary>
    public long RoomsCreated => Total();

    /// <summary>Rooms removed.</summary>
    public long RoomsRemoved => Total();

    /// <summary>How often a connection's outbound queue was full, under any policy.</summary>
    public long SlowConsumers => Total();

    /// <summary>Handlers that threw.</summary>
    public long HandlerFaults => Total();

    /// <summary>Packets whose id nothing handles.</summary>
    public long UnknownPackets => Total();

    /// <summary>Packets that a rate limit refused.</summary>
    public long RateLimitedPackets => Total();

    /// <summary>Answers that no request awaited.</summary>
    public long AnswersDropped => Total();

    /// <summary>How often reading from a peer paused until what it had sent was worked off.</summary>
    public long ReadPauses => Total();

    /// <summary>Frames that broke a rule of their format or protocol.</summary>
    public long ProtocolViolations => Total();

    /// <summary>Connections open now.</summary>
    public long Connections => Math.Max(0, ConnectionsAccepted - ConnectionsClosed);

    /// <summary>Sessions open now.</summary>
    public long Sessions => Math.Max(0, SessionsOpened - SessionsClosed);

    /// <summary>Rooms that exist now.</summary>
    public long Rooms => Math.Max(0, RoomsCreated - RoomsRemoved);

    /// <summary>Pooled segments that wait in outbound queues now (<c>sendbuf inuse</c>).</summary>
    public long SendBuffersInUse { get; internal init; }

    /// <summary>Pooled buffers that are rented now (<c>mpool inuse</c>).</summary>
    public long PoolInUse { get; internal init; }

    /// <summary>The deepest that any one room's queue has been since the start.</summary>
    public long QueuePeak => Mark.SinceStart.QueueDepth;

    /// <summary>The most <see cref="SendBuffersInUse"/> since the start.</summary>
    public long SendBuffersPeak => Mark.SinceStart.SendBuffers;

    /// <summary>The most <see cref="PoolInUse"/> since the start.</summary>
    public long PoolPeak => Mark.SinceStart.PoolBuffers;

    /// <summary>The same object in all snapshots that intervals can be made of: those of one collector, or of one file.</summary>
    internal object Source { get; }

    internal LatencyHistogram Histogram { get; }

    internal PeakMark Mark { get; }

    internal long Total([CallerMemberName] string name = "") => _totals[name];

    /// <summary>How many connections have ended for a reason.</summary>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="reason"/> is none of the enumeration.</exception>
    public long GetCloses(CloseReason reason)
    {
        ArgumentOutOfRangeException.ThrowIfNegative((int)reason, nameof(reason));
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((int)reason, _closes.Length, nameof(reason));
        return _closes[(int)reason];
    }
}
