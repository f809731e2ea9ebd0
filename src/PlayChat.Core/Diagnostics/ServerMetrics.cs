using System.Diagnostics.Metrics;

namespace PlayChat.Core.Diagnostics;

/// <summary>The counters of one server, which count where things happen.</summary>
/// <remarks>
/// Thread-safe. Counting takes a few nanoseconds, allocates nothing and takes no lock that two processors share, whether or not anything
/// reads. The instruments (<see cref="PlayChatMeter"/>) are observable and report the same counters: monitoring uses them.
/// <see cref="ReadAll"/> is for programs that need all figures at one moment, such as a test or a report.
/// </remarks>
public sealed class ServerMetrics : IDisposable
{
    private static readonly int s_counters = Enum.GetValues<Counter>().Length;
    private static readonly int s_closeReasons = Enum.GetValues<CloseReason>().Length;

    private readonly double _nanosecondsPerTick; // 1 on Linux, 100 on Windows
    private readonly object _gate = new();
    private readonly StripedCounters _counters = new(s_counters);
    private readonly StripedLatency _latency = new();
    private readonly long[] _closes = new long[s_closeReasons];
    private readonly PeakHistory _peaks = new();
    private readonly TimeProvider _time;
    private readonly long _startTimestamp;
    private readonly ServerMeter _meter;
    private Func<PoolStatistics>[] _pools = [];
    private Level _sendBuffers;
    private TickFigures? _ticks; // from the first tick on

    /// <param name="meterFactory">Makes, and then owns, the meter; without one the metrics make and own it.</param>
    /// <param name="time">The clock of the snapshots; the system's by default.</param>
    internal ServerMetrics(IMeterFactory? meterFactory = null, TimeProvider? time = null)
    {
        _time = time ?? TimeProvider.System;
        _nanosecondsPerTick = 1e9 / _time.TimestampFrequency;
        _startTimestamp = _time.GetTimestamp();
        _meter = new ServerMeter(this, meterFactory);
    }

    /// <summary>How long the server's metrics have been counting.</summary>
    internal TimeSpan Elapsed => _time.GetElapsedTime(_startTimestamp);

    /// <summary>Measures packets by their type while a listener subscribes.</summary>
    internal PacketMeter Packets => _meter.Packets;

    /// <summary>Reads all figures: totals since the start, present values, and peaks.</summary>
    /// <param name="previous">
    /// An earlier reading of this server, since which the peaks are meant; without one they are those since the start.
    /// </param>
    /// <remarks>
    /// <para>For once a second or less: it takes some tenths of a millisecond and 50 KB. Thread-safe; any number of readers call it without
    /// disturbing
    /// each other. A program that exports figures to a monitoring system uses the meter instead (<see cref="PlayChatMeter"/>).</para>
    /// <para>The peaks are exact as long as fewer than 512 readings were made since <paramref name="previous"/>; otherwise they are those
    /// since the start.</para>
    /// <para>The totals are read one after the other while the server runs on.</para>
    /// </remarks>
    /// <exception cref="ArgumentException"><paramref name="previous"/> is of another server.</exception>
    public MetricsReading ReadAll(MetricsReading? previous = null)
    {
        if (previous is not null && previous.Source != this)
        {
            throw new ArgumentException("The reading is of another server.", nameof(previous));
        }

        // One at a time, so that marks, times and totals rise together and any two readings can be compared.
        lock (_gate)
        {
            long[] totals = new long[s_counters];
            // Of a pair, the later event (closed after opened, popped after pushed) is read first: levels are never negative.
            long[] closes = ReadCloses();
            for (int i = s_counters - 1; i >= 0; i--)
            {
                totals[i] = _counters.Read(i);
            }

            PoolStatistics pool = ReadPools();
            long sendBuffersInUse = SendBuffersInUse;
            long mark = _peaks.Mark(sendBuffersInUse, pool.InUse, pool.Peak);
            Peaks peaks = _peaks.Since(previous?.Mark ?? 0);
            return new MetricsReading(this, totals, closes, pool, sendBuffersInUse, _latency.Snapshot(), mark, peaks)
            {
                Timestamp = _time.GetUtcNow(),
                Elapsed = Elapsed,
                TickDriftP99 = ReadTickDrift() is { } drift ? TimeSpan.FromMicroseconds(drift.GetPercentileNanoseconds(99) / 1000d) : null,
                TickDrift = Volatile.Read(ref _ticks)?.ReadAll(),
            };
        }
    }

    /// <summary>Ends the meter. Its server or connector calls this.</summary>
    void IDisposable.Dispose() => Dispose();

    /// <summary>Ends the instruments that this server's own meter reports; one from a meter factory lives as long as the factory.</summary>
    internal void Dispose() => _meter.Dispose();

    internal void Add(Counter counter, long value = 1) => _counters.Add((int)counter, value);

    /// <summary>Counts a batch: what one receive brought, if it was one, and the frames that were handled.</summary>
    internal void CountReceived(int bytes, int frames)
    {
        Span<long> own = _counters.Own;
        if (bytes > 0)
        {
            Interlocked.Increment(ref own[(int)Counter.Receives]);
            Interlocked.Add(ref own[(int)Counter.BytesReceived], bytes);
        }

        Interlocked.Add(ref own[(int)Counter.FramesReceived], frames);
    }

    /// <summary>Counts a send that has ended.</summary>
    internal void CountSent(int bytes, int frames)
    {
        Span<long> own = _counters.Own;
        Interlocked.Increment(ref own[(int)Counter.Sends]);
        Interlocked.Add(ref own[(int)Counter.BytesSent], bytes);
        Interlocked.Add(ref own[(int)Counter.FramesSent], frames);
    }

    /// <summary>Counts a send of one segment that the system took at once: it passed the outbound queue without a stay.</summary>
    internal void CountSentDirectly(int bytes, int frames)
    {
        CountSent(bytes, frames);
        Span<long> own = _counters.Own;
        Interlocked.Increment(ref own[(int)Counter.SendBufferPushes]);
        Interlocked.Increment(ref own[(int)Counter.SendBufferPops]);
    }

    /// <summary>Records the time from the receipt of a frame to the hand-over of what it caused to the sockets.</summary>
    /// <param name="elapsedTicks">Difference of two timestamps of the server's clock.</param>
    /// <param name="count">How many frames it took that long.</param>
    internal void RecordLatency(long elapsedTicks, int count = 1) => _latency.Record((long)(elapsedTicks * _nanosecondsPerTick), count);

    /// <summary>Counts a tick of a room.</summary>
    /// <param name="driftTicks">From when it was due to when it ran, as a difference of two timestamps of the server's clock.</param>
    /// <param name="missed">Ticks before it that could not run.</param>
    internal void RecordTick(long driftTicks, long missed)
    {
        (_ticks ?? BeginTicks()).Record((long)(driftTicks * _nanosecondsPerTick));
        _counters.Add((int)Counter.RoomTicks, 1);
        if (missed > 0)
        {
            _counters.Add((int)Counter.RoomTicksMissed, missed);
        }
    }

    /// <summary>How late ticks ran in the last window; <see langword="null"/> when no room has ever ticked.</summary>
    internal LatencyBuckets? ReadTickDrift() => Volatile.Read(ref _ticks)?.Read();

    /// <summary>Counts a connection that was accepted and has now ended.</summary>
    internal void CountClose(CloseReason reason) => Interlocked.Increment(ref _closes[(int)reason]);

    /// <summary>Tells how deep a room's queue is after an item was put in it.</summary>
    internal void ObserveQueueDepth(int depth) => _peaks.ObserveQueueDepth(depth);

    /// <summary>Counts pooled segments that were put in an outbound queue.</summary>
    internal void PushSendBuffers(int segments)
    {
        _counters.Add((int)Counter.SendBufferPushes, segments);
        _peaks.ObserveSendBuffers(Interlocked.Add(ref _sendBuffers.Value, segments));
    }

    /// <summary>Counts pooled segments that left an outbound queue: sent, or dropped with it.</summary>
    internal void PopSendBuffers(int segments)
    {
        _counters.Add((int)Counter.SendBufferPops, segments);
        Interlocked.Add(ref _sendBuffers.Value, -segments);
    }

    /// <summary>Adds a pool to the buffer pool's figures.</summary>
    /// <param name="read">Called for each snapshot and each collection of the instruments; must be thread-safe and quick.</param>
    internal void AddPool(Func<PoolStatistics> read)
    {
        lock (_gate)
        {
            _pools = [.. _pools, read];
        }
    }

    internal long Read(Counter counter) => _counters.Read((int)counter);

    internal long SendBuffersInUse => Math.Max(0, Volatile.Read(ref _sendBuffers.Value));

    internal long[] ReadCloses()
    {
        long[] closes = new long[s_closeReasons];
        for (int i = 0; i < closes.Length; i++)
        {
            closes[i] = Volatile.Read(ref _closes[i]);
        }

        return closes;
    }

    /// <summary>The pools together; their peaks are added, which is exact for one and never too low for several.</summary>
    internal PoolStatistics ReadPools()
    {
        PoolStatistics sum = default;
        foreach (Func<PoolStatistics> read in Volatile.Read(ref _pools))
        {
            PoolStatistics pool = read();
            sum = new PoolStatistics(
                sum.InUse + pool.InUse, sum.Peak + pool.Peak, sum.Rents + pool.Rents, sum.Returns + pool.Returns, sum.Reuses + pool.Reuses);
        }

        return sum;
    }

    private TickFigures BeginTicks()
    {
        var made = new TickFigures(_time);
        return Interlocked.CompareExchange(ref _ticks, made, null) ?? made;
    }

    // All processors write it, at most once per segment, beside a system call of microseconds; its line is its own.
    [StructLayout(LayoutKind.Explicit, Size = 256)]
    private struct Level
    {
        [FieldOffset(128)]
        public long Value;
    }
}
