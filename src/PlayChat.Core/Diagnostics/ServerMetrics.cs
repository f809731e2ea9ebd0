using System.Diagnostics.Metrics;
using System.Runtime.InteropServices;
using PlayChat.Core.Buffers;

namespace PlayChat.Core.Diagnostics;

/// <summary>Everything a server counts: one for each server, counted where it happens, read as <see cref="KpiSnapshot"/> or through the <c>Meter</c>.</summary>
/// <remarks>
/// Thread-safe. Counting takes a few nanoseconds, allocates nothing and takes no lock that two processors share, whether or not anybody reads; the
/// instruments (<see cref="PlayChatMeter"/>) are observable ones over the same counters.
/// </remarks>
public sealed class ServerMetrics : IDisposable
{
    private static readonly int s_counters = Enum.GetValues<Counter>().Length;
    private static readonly int s_closeReasons = Enum.GetValues<CloseReason>().Length;

    private readonly double _nanosecondsPerTick; // 1 on Linux, 100 on Windows
    private readonly object _gate = new();
    private readonly StripedCounters _counters = new(s_counters);
    private readonly LatencyRecorder _latency = new();
    private readonly long[] _closes = new long[s_closeReasons];
    private readonly PeakHistory _peaks = new();
    private readonly TimeProvider _time;
    private readonly long _startTimestamp;
    private readonly ServerMeter _meter;
    private Func<PoolStatistics>[] _pools = [];
    private ExtraSource[] _extras = [];
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

    /// <summary>Adds a figure that someone else measures, such as the time spent waiting for a database connection.</summary>
    /// <param name="name">The column's title, for example <c>db wait ms</c>; lower-case words. It comes after the other columns.</param>
    /// <param name="unit">The unit, for example <c>ms</c>.</param>
    /// <param name="read">Called once per snapshot, on the thread that takes it; must be thread-safe and quick. When it throws, the figure is shown as missing.</param>
    /// <param name="isTotal">True for a total since the start that only rises: an interval then shows its growth. False (default) for a present value.</param>
    /// <param name="isDetail">True for a figure that is in snapshots and files and not in the table.</param>
    /// <exception cref="ArgumentException">The name is empty, or another figure has it already.</exception>
    public void AddExtra(string name, string unit, Func<double> read, bool isTotal = false, bool isDetail = false)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(name);
        ArgumentNullException.ThrowIfNull(unit);
        ArgumentNullException.ThrowIfNull(read);
        if (!TryAddExtra(new ExtraSource(new KpiExtra(name, unit, 0, isTotal) { IsDetail = isDetail }, read)))
        {
            throw new ArgumentException($"There is already a figure named '{name}'.", nameof(name));
        }
    }

    /// <summary>Reads everything: totals since the start, present values, the process's figures.</summary>
    /// <remarks>
    /// Takes some tenths of a millisecond and 50 KB, so it is meant for once a second or less, by any number of readers:
    /// none disturbs another. The totals are read one after the other while the server runs on.
    /// </remarks>
    public KpiSnapshot Snapshot()
    {
        // Outside of the lock: it is somebody else's code.
        KpiExtra[] extras = Array.ConvertAll(Volatile.Read(ref _extras), static extra => extra.Read());

        // One at a time, so that marks, times and totals rise together and any two snapshots make an interval.
        lock (_gate)
        {
            long[] totals = new long[s_counters];
            // What comes last in a pair (closed after opened, popped after pushed) is read first: levels are never negative.
            long[] closes = ReadCloses();
            for (int i = s_counters - 1; i >= 0; i--)
            {
                totals[i] = _counters.Read(i);
            }

            PoolStatistics pool = ReadPools();
            long sendBuffersInUse = SendBuffersInUse;
            PeakMark mark = _peaks.Mark(sendBuffersInUse, pool.InUse, pool.Peak);
            return new KpiSnapshot(this, totals, closes, _latency.Snapshot(), mark, pool, extras)
            {
                Timestamp = _time.GetUtcNow(),
                Elapsed = Elapsed,
                SendBuffersInUse = sendBuffersInUse,
                Process = ProcessFigures.Read(),
            };
        }
    }

    /// <summary>Ends the instruments that this server's own meter reports; one from a meter factory lives as long as the factory.</summary>
    public void Dispose() => _meter.Dispose();

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

    /// <summary>Counts a send that has come to its end.</summary>
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
    internal LatencySummary? ReadTickDrift() => Volatile.Read(ref _ticks)?.Read();

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
        if (Interlocked.CompareExchange(ref _ticks, made, null) is { } other)
        {
            return other;
        }

        // A server without ticks does not show them. Who has a figure of the same name keeps it.
        TryAddExtra(new ExtraSource(new KpiExtra("room ticks", "ticks", 0, IsTotal: true), () => Read(Counter.RoomTicks)));
        TryAddExtra(new ExtraSource(new KpiExtra("ticks missed", "ticks", 0, IsTotal: true), () => Read(Counter.RoomTicksMissed)));
        TryAddExtra(new ExtraSource(new KpiExtra("tick drift p99 us", "µs", 0, IsTotal: false), () => made.Read().P99Microseconds));
        return made;
    }

    private bool TryAddExtra(ExtraSource extra)
    {
        lock (_gate)
        {
            if (Array.Exists(_extras, e => e.Figure.Key == extra.Figure.Key))
            {
                return false;
            }

            _extras = [.. _extras, extra];
            return true;
        }
    }

    private sealed record ExtraSource(KpiExtra Figure, Func<double> Source)
    {
        internal KpiExtra Read()
        {
            try
            {
                return Figure with { Value = Source() };
            }
            catch (Exception)
            {
                // Whatever is wrong in somebody's figure, the other figures must still be seen: it is shown as missing.
                return Figure with { Value = double.NaN };
            }
        }
    }

    // All processors write it, at most once per segment, beside a system call of microseconds; its line is its own.
    [StructLayout(LayoutKind.Explicit, Size = 256)]
    private struct Level
    {
        [FieldOffset(128)]
        public long Value;
    }
}
