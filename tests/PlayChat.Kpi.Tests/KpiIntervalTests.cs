using System.Diagnostics;
using PlayChat.Core;
using PlayChat.Core.Buffers;
using PlayChat.Core.Diagnostics;

namespace PlayChat.Kpi.Tests;

public sealed class KpiIntervalTests
{
    private readonly ManualTimeProvider _clock = new();
    private readonly ServerMetrics _metrics;
    private readonly KpiExtras _extras = new();
    private readonly KpiCollector _collector;

    public KpiIntervalTests()
    {
        _metrics = new ServerMetrics(meterFactory: null, _clock);
        _collector = new KpiCollector(_metrics, _extras);
    }

    [Fact]
    public void Rates_are_growth_per_second()
    {
        _metrics.Add(Counter.FramesReceived, 1000);
        KpiSnapshot earlier = _collector.Snapshot();
        _metrics.Add(Counter.FramesReceived, 500);
        _metrics.Add(Counter.BytesSent, 70);
        _metrics.Add(Counter.Deliveries, 900);
        _metrics.Add(Counter.Sends, 30);

        KpiInterval interval = KpiInterval.Between(earlier, Later(seconds: 10));

        Assert.Equal(TimeSpan.FromSeconds(10), interval.Duration);
        Assert.Equal(50, interval.FramesReceivedPerSecond);
        Assert.Equal(7, interval.BytesSentPerSecond);
        Assert.Equal(90, interval.DeliveriesPerSecond);
        Assert.Equal(3, interval.SendsPerSecond);
        Assert.Equal(30, interval.DeliveriesPerSend);
        Assert.Equal(0, interval.ReceivesPerSecond);
        Assert.Equal(1500, interval.Later.FramesReceived);
    }

    [Fact]
    public void An_interval_of_no_length_has_no_rates()
    {
        KpiSnapshot earlier = _collector.Snapshot();
        _metrics.Add(Counter.FramesReceived, 10);

        KpiInterval interval = KpiInterval.Between(earlier, _collector.Snapshot());

        Assert.Equal(0, interval.FramesReceivedPerSecond);
        Assert.Equal(0, interval.CpuPercent);
        Assert.Equal(0, interval.DeliveriesPerSend);
        Assert.Equal(100, interval.PoolReusePercent);
    }

    [Fact]
    public void Latency_is_that_of_the_interval_alone()
    {
        _metrics.RecordLatency(Ticks(milliseconds: 20), 100);
        KpiSnapshot earlier = _collector.Snapshot();
        _metrics.RecordLatency(Ticks(milliseconds: 2), 3);
        KpiSnapshot later = Later(seconds: 1);

        LatencySummary latency = KpiInterval.Between(earlier, later).Latency;

        Assert.Equal(3, latency.Count);
        Assert.Equal(2000, latency.MeanMicroseconds, 1.0);
        Assert.Equal(2000, latency.P99Microseconds, 20.0);
        Assert.Equal([0, 0, 0, 3, 0, 0, 0], latency.BucketCounts);
        Assert.Equal(103, later.Latency.Count);
        Assert.Equal(20_000, later.Latency.MaxMicroseconds, 1.0);
    }

    [Fact]
    public void A_queue_peak_is_seen_by_every_reader_in_whose_interval_it_was()
    {
        KpiSnapshot slowReader = _collector.Snapshot();
        _metrics.ObserveQueueDepth(7);
        KpiSnapshot fastReader1 = Later(seconds: 1);
        _metrics.ObserveQueueDepth(3);
        KpiSnapshot fastReader2 = Later(seconds: 1);
        KpiSnapshot slowReader2 = Later(seconds: 1);

        Assert.Equal(3, KpiInterval.Between(fastReader1, fastReader2).QueuePeak);
        Assert.Equal(7, KpiInterval.Between(slowReader, slowReader2).QueuePeak);
        Assert.Equal(0, KpiInterval.Between(fastReader2, slowReader2).QueuePeak);
        Assert.Equal(7, slowReader2.QueuePeak);
    }

    [Fact]
    public void Another_collector_of_the_server_takes_no_peak_away()
    {
        var other = new KpiCollector(_metrics);
        KpiSnapshot earlier = _collector.Snapshot();
        other.Snapshot();
        _metrics.ObserveQueueDepth(7);
        other.Snapshot();

        Assert.Equal(7, KpiInterval.Between(earlier, Later(seconds: 1)).QueuePeak);
    }

    [Fact]
    public void A_server_whose_rooms_tick_shows_how_late()
    {
        KpiSnapshot earlier = _collector.Snapshot();
        _metrics.RecordTick(Ticks(milliseconds: 2), missed: 0);
        _metrics.RecordTick(Ticks(milliseconds: 2), missed: 3);

        KpiInterval interval = KpiInterval.Between(earlier, Later(seconds: 1));

        Assert.Empty(earlier.Extras);
        string[] keys = ["room_ticks", "ticks_missed", "tick_drift_p99_us"];
        Assert.Equal(keys, interval.Extras.Select(static extra => extra.Key), StringComparer.Ordinal);
        Assert.Equal([2, 3], interval.Extras.Take(2).Select(static extra => extra.Value));
        Assert.Equal(2000, interval.Extras[2].Value, 20.0);
    }

    [Fact]
    public void Every_total_is_that_of_its_counter()
    {
        foreach (Counter counter in Enum.GetValues<Counter>())
        {
            _metrics.Add(counter, 100 + (counter is Counter.SessionsOpened or Counter.RoomsCreated ? 500 : (long)counter));
        }

        KpiSnapshot snapshot = _collector.Snapshot();

        // A counter and its property have the same name. Ticks and sessions that are away are shown as extras; handshakes, refused proxies,
        // resumes, slow handlers and packets without a room are instruments of the meter alone.
        foreach (Counter counter in Enum.GetValues<Counter>().Where(static c => c is not (
            Counter.RoomTicks or Counter.RoomTicksMissed or Counter.SessionsAway or Counter.SessionsNotAway or Counter.SessionsResumed
            or Counter.ResumeStoreFaults or Counter.HandshakesRefused or Counter.HandshakesFailed or Counter.ProxyLinksRefused
            or Counter.UpgradesRefused or Counter.SlowHandlers or Counter.PacketsWithoutRoom)))
        {
            Assert.Equal(_metrics.Read(counter), (long)typeof(KpiSnapshot).GetProperty($"{counter}")!.GetValue(snapshot)!);
        }
    }

    [Fact]
    public void A_queue_peak_of_more_snapshots_than_are_kept_is_that_since_the_start()
    {
        _metrics.ObserveQueueDepth(9);
        KpiSnapshot first = _collector.Snapshot();
        _metrics.ObserveQueueDepth(2);
        KpiSnapshot last = first;
        for (int i = 0; i < PeakMark.Capacity; i++)
        {
            last = _collector.Snapshot();
        }

        Assert.Equal(2, KpiInterval.Between(first, last).QueuePeak);
        Assert.Equal(9, KpiInterval.Between(first, _collector.Snapshot()).QueuePeak);
    }

    [Fact]
    public void Segments_that_wait_from_before_the_interval_belong_to_its_peak()
    {
        _metrics.PushSendBuffers(5);
        KpiSnapshot earlier = _collector.Snapshot();
        _metrics.PopSendBuffers(4);
        _metrics.PushSendBuffers(2);
        KpiSnapshot later = Later(seconds: 2);
        KpiSnapshot latest = Later(seconds: 2);

        KpiInterval interval = KpiInterval.Between(earlier, later);

        Assert.Equal(5, interval.SendBuffersPeak);
        Assert.Equal(3, later.SendBuffersInUse);
        Assert.Equal(1, interval.SendBufferPushesPerSecond);
        Assert.Equal(2, interval.SendBufferPopsPerSecond);
        Assert.Equal(3, KpiInterval.Between(later, latest).SendBuffersPeak);
    }

    [Fact]
    public void Pools_are_added_up_and_their_peak_belongs_to_the_interval_that_set_it()
    {
        var pool = new PoolStatistics(InUse: 4, Peak: 6, Rents: 10, Returns: 6, Reuses: 2);
        _metrics.AddPool(() => pool);
        _metrics.AddPool(static () => new PoolStatistics(1, 1, 1, 0, 0));
        KpiSnapshot start = _collector.Snapshot();
        pool = new PoolStatistics(InUse: 3, Peak: 20, Rents: 110, Returns: 107, Reuses: 77);
        KpiSnapshot busy = Later(seconds: 10);
        KpiSnapshot quiet = Later(seconds: 10);

        KpiInterval interval = KpiInterval.Between(start, busy);

        Assert.Equal(10, interval.PoolRentsPerSecond);
        Assert.Equal(10.1, interval.PoolReturnsPerSecond);
        Assert.Equal(75, interval.PoolReusePercent);
        Assert.Equal(21, interval.PoolPeak);
        Assert.Equal(4, busy.PoolInUse);
        Assert.Equal(4, KpiInterval.Between(busy, quiet).PoolPeak);
        Assert.Equal(21, quiet.PoolPeak);
    }

    [Fact]
    public void Added_figures_show_growth_when_they_are_totals_and_the_value_otherwise()
    {
        double wait = 5;
        _extras.Add("db wait ms", "ms", () => wait, isTotal: true);
        _extras.Add("log queue", "items", () => wait);
        KpiSnapshot earlier = _collector.Snapshot();
        wait = 12;

        KpiInterval interval = KpiInterval.Between(earlier, Later(seconds: 1));

        Assert.Equal(["db_wait_ms", "log_queue"], interval.Extras.Select(static extra => extra.Key), StringComparer.Ordinal);
        Assert.Equal([7d, 12d], interval.Extras.Select(static extra => extra.Value));
    }

    [Fact]
    public void Details_are_in_the_file_and_not_in_the_table()
    {
        _extras.Add("db append ms", "ms", static () => 3, isDetail: true);
        _extras.Add("db wait ms", "ms", static () => 8);
        _extras.Add("db failures", "operations", static () => 3);
        KpiInterval interval = KpiInterval.Between(_collector.Snapshot(), Later(seconds: 1));

        string table = KpiTable.FormatHeader(interval) + KpiTable.FormatRow(interval) + KpiTable.FormatSummary(interval);

        Assert.Contains("db wait ms", table, StringComparison.Ordinal);
        Assert.EndsWith("8.0           3", KpiTable.FormatRow(interval), StringComparison.Ordinal);
        Assert.DoesNotContain("db append ms", table, StringComparison.Ordinal);
        Assert.Contains("\"db_append_ms\":3", KpiJson.Format(interval), StringComparison.Ordinal);
    }

    [Fact]
    public void A_figure_that_cannot_be_read_is_missing_and_hurts_no_other()
    {
        _extras.Add("broken", "ms", static () => throw new InvalidOperationException("no database"));
        _extras.Add("fine", "ms", static () => 4);

        KpiSnapshot snapshot = _collector.Snapshot();

        Assert.Equal([double.NaN, 4d], snapshot.Extras.Select(static extra => extra.Value));
        Assert.Throws<ArgumentException>(() => _extras.Add("fine", "s", static () => 0));
    }

    [Fact]
    public void Closes_are_counted_by_reason()
    {
        _metrics.Add(Counter.ConnectionsAccepted, 5);
        _metrics.CountClose(CloseReason.SlowConsumer);
        _metrics.CountClose(CloseReason.SlowConsumer);
        _metrics.CountClose(CloseReason.LoginRequired);

        KpiSnapshot snapshot = _collector.Snapshot();

        Assert.Equal(2, snapshot.GetCloses(CloseReason.SlowConsumer));
        Assert.Equal(1, snapshot.GetCloses(CloseReason.LoginRequired));
        Assert.Equal(3, snapshot.ConnectionsClosed);
        Assert.Equal(2, snapshot.Connections);
        Assert.Throws<ArgumentOutOfRangeException>(() => snapshot.GetCloses((CloseReason)99));
    }

    [Fact]
    public void Snapshots_of_two_servers_or_in_the_wrong_order_make_no_interval()
    {
        using var metrics = new ServerMetrics();
        var other = new KpiCollector(metrics);
        KpiSnapshot earlier = _collector.Snapshot();
        KpiSnapshot later = Later(seconds: 1);

        Assert.Throws<ArgumentException>(() => KpiInterval.Between(later, earlier));
        Assert.Throws<ArgumentException>(() => KpiInterval.Between(other.Snapshot(), later));
    }

    [Fact]
    public void The_process_is_measured()
    {
        ProcessFigures process = _collector.Snapshot().Process;

        Assert.True(process.CpuTime > TimeSpan.Zero);
        Assert.True(process.WorkingSetBytes > 0);
        Assert.True(process.PeakWorkingSetBytes >= process.WorkingSetBytes);
        Assert.True(process.AllocatedBytes > 0);
    }

    [Fact]
    public void Any_two_of_the_snapshots_that_many_readers_take_make_an_interval()
    {
        using var metrics = new ServerMetrics();
        var collector = new KpiCollector(metrics);
        var taken = new System.Collections.Concurrent.ConcurrentBag<KpiSnapshot>();

        Parallel.For(0, 100, i =>
        {
            metrics.RecordLatency(Ticks(milliseconds: i));
            metrics.Add(Counter.FramesReceived);
            taken.Add(collector.Snapshot());
        });

        KpiSnapshot[] ordered = [.. taken.OrderBy(static snapshot => snapshot.Elapsed)];
        foreach ((KpiSnapshot earlier, KpiSnapshot later) in ordered.Zip(ordered.Skip(1)))
        {
            KpiInterval interval = KpiInterval.Between(earlier, later);
            Assert.True(interval.FramesReceivedPerSecond >= 0);
        }
    }

    private long Ticks(int milliseconds) => milliseconds * _clock.TimestampFrequency / 1000;

    private KpiSnapshot Later(int seconds)
    {
        _clock.Advance(TimeSpan.FromSeconds(seconds));
        return _collector.Snapshot();
    }
}
