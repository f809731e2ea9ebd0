using System.Text.Json;
using PlayChat.Core;
using PlayChat.Core.Diagnostics;

namespace PlayChat.Kpi.Tests;

public sealed class KpiFormatTests
{
    private const string SnapshotKeys =
        "timestamp uptime_s total now peak process closes latency_us latency_buckets latency_histogram extras extra_columns";

    private const string LatencyKeys = "count mean p50 p90 p99 p999 max";
    private const string BucketKeys = "le_100us le_500us le_1ms le_5ms le_10ms le_50ms gt_50ms";

    private const string TotalKeys =
        "receives sends bytes_received bytes_sent frames_received frames_sent frames_dropped "
        + "frames_replaced frames_skipped deliveries jobs_enqueued jobs_executed "
        + "jobs_refused send_buffer_pushes send_buffer_pops pool_rents pool_returns pool_reuses connections_accepted "
        + "connections_closed connections_refused sessions_opened sessions_closed rooms_created rooms_removed slow_consumers "
        + "handler_faults unknown_packets rate_limited_packets answers_dropped read_pauses protocol_violations";

    private const string CloseKeys =
        "peer_closed peer_reset protocol_violation frame_too_large slow_consumer idle_timeout handler_fault server_shutdown "
        + "local_close login_timeout taken_over tls_failed server_full address_full transport_fault "
        + "unknown_packet login_required rate_limited frame_timeout node_fenced login_expired";

    private const string IntervalKeys =
        "duration_s receives_per_s sends_per_s frames_received_per_s frames_sent_per_s bytes_received_per_s bytes_sent_per_s "
        + "deliveries_per_s deliveries_per_io jobs_enqueued_per_s jobs_executed_per_s queue_peak send_buffers_peak "
        + "send_buffer_pushes_per_s send_buffer_pops_per_s pool_peak pool_rents_per_s pool_returns_per_s pool_reuse_percent "
        + "cpu_ms cpu_percent gc0 gc1 gc2 gc_pause_ms allocated_bytes_per_s";

    private readonly KpiInterval _interval = MakeInterval();

    [Fact]
    public void The_json_of_an_interval_has_exactly_the_documented_keys()
    {
        using JsonDocument json = JsonDocument.Parse(KpiJson.Format(_interval));

        JsonElement root = json.RootElement;
        AssertKeys(SnapshotKeys + " interval", root);
        AssertKeys(TotalKeys, root.GetProperty("total"));
        AssertKeys("connections sessions rooms send_buffers_in_use pool_in_use", root.GetProperty("now"));
        AssertKeys("queue send_buffers pool", root.GetProperty("peak"));
        AssertKeys(
            "cpu_ms working_set_bytes peak_working_set_bytes gc0 gc1 gc2 gc_pause_ms allocated_bytes", root.GetProperty("process"));
        AssertKeys(CloseKeys, root.GetProperty("closes"));
        AssertKeys(LatencyKeys, root.GetProperty("latency_us"));
        AssertKeys(BucketKeys, root.GetProperty("latency_buckets"));
        AssertKeys("db_wait_ms broken", root.GetProperty("extras"));
        JsonElement interval = root.GetProperty("interval");
        AssertKeys(IntervalKeys + " latency_us latency_buckets extras", interval);
        AssertKeys(LatencyKeys, interval.GetProperty("latency_us"));
        AssertKeys(BucketKeys, interval.GetProperty("latency_buckets"));
    }

    [Fact]
    public void The_json_of_a_snapshot_is_the_same_without_the_interval()
    {
        string text = KpiJson.Format(_interval.Later);
        using JsonDocument json = JsonDocument.Parse(text);

        AssertKeys(SnapshotKeys, json.RootElement);
        Assert.DoesNotContain('\n', text);
    }

    [Fact]
    public void The_json_tells_totals_rates_and_missing_figures()
    {
        using JsonDocument json = JsonDocument.Parse(KpiJson.Format(_interval));

        JsonElement root = json.RootElement;
        JsonElement interval = root.GetProperty("interval");
        Assert.Equal(new DateTime(2024, 5, 6, 7, 8, 19, DateTimeKind.Utc), root.GetProperty("timestamp").GetDateTime());
        Assert.Equal(10, root.GetProperty("uptime_s").GetDouble());
        Assert.Equal(1_234_567, root.GetProperty("total").GetProperty("frames_received").GetInt64());
        Assert.Equal(123_456.7, interval.GetProperty("frames_received_per_s").GetDouble());
        Assert.Equal(42, interval.GetProperty("queue_peak").GetInt64());
        Assert.Equal(1.5, interval.GetProperty("extras").GetProperty("db_wait_ms").GetDouble());
        Assert.Equal(JsonValueKind.Null, root.GetProperty("extras").GetProperty("broken").ValueKind);
    }

    [Fact]
    public void The_table_has_every_column_in_order()
    {
        string[] lines = KpiTable.FormatHeader(_interval).Split('\n');

        string[] expected =
        [
            "uptime io r/s io s/s app in/s app out/s bytes r/s bytes s/s bc-deliv/s deliv/io avg p50 p90 p99 (µs)",
            "job e/s job x/s jobs q-peak sendbuf inuse peak push/s pop/s mpool inuse peak alloc/s free/s reuse%",
            "sessions rooms conns cpu % ws MB gc0 gc1 gc2 pause ms alloc MB/s db wait ms broken",
        ];
        IEnumerable<string> titles = lines.Select(static line => string.Join(' ', line.Split(' ', StringSplitOptions.RemoveEmptyEntries)));
        Assert.Equal(expected, titles, StringComparer.Ordinal);
    }

    [Fact]
    public void The_tables_lines_are_aligned_and_fit_a_terminal_of_120_columns()
    {
        string[] header = KpiTable.FormatHeader(_interval).Split('\n');
        string[] row = KpiTable.FormatRow(_interval).Split('\n');

        Assert.Equal(header.Select(static line => line.Length), row.Select(static line => line.Length));
        Assert.All(header, static line => Assert.InRange(line.Length, 1, 120));
        AssertCell("123457", "app in/s", header[0], row[0]);
        AssertCell("12.3M", "bytes s/s", header[0], row[0]);
        AssertCell("0:00:10", "uptime", header[0], row[0]);
        AssertCell("42", "jobs q-peak", header[1], row[1]);
        AssertCell("1.5", "db wait ms", header[2], row[2]);
        AssertCell("-", "broken", header[2], row[2]);
    }

    [Fact]
    public void The_short_table_has_its_columns_in_order_and_fits_100_columns()
    {
        string header = KpiShortTable.FormatHeader();
        string row = KpiShortTable.FormatRow(_interval);

        Assert.Equal(
            "uptime conns players rooms in/s out/s out KB/s p50 ms p99 ms backlog cpu % mem MB",
            string.Join(' ', header.Split(' ', StringSplitOptions.RemoveEmptyEntries)));
        Assert.Equal(header.Length, row.Length);
        Assert.InRange(header.Length, 1, 100);
        Assert.All(KpiShortTable.Legend.Split('\n'), static line => Assert.InRange(line.Length, 1, 100));
        AssertCell("0:00:10", "uptime", header, row);
        AssertCell("123457", "in/s", header, row);
        AssertCell("42", "backlog", header, row);
    }

    [Fact]
    public void The_summary_tells_totals_buckets_and_close_reasons()
    {
        string summary = KpiTable.FormatSummary(_interval);

        Assert.Contains("1,234,567 frames (123,457/s)", summary, StringComparison.Ordinal);
        Assert.Contains("<=100 µs: 1, <=500 µs: 0", summary, StringComparison.Ordinal);
        Assert.Contains("closed: PeerReset 1", summary, StringComparison.Ordinal);
        Assert.Contains("db wait ms   1.5 ms", summary, StringComparison.Ordinal);
    }

    private static KpiInterval MakeInterval()
    {
        var clock = new ManualTimeProvider(new DateTimeOffset(2024, 5, 6, 7, 8, 9, TimeSpan.Zero));
        using var metrics = new ServerMetrics(meterFactory: null, clock);
        var extras = new KpiExtras();
        extras.Add("db wait ms", "ms", static () => 1.5);
        extras.Add("broken", "ms", static () => double.NaN);
        var collector = new KpiCollector(metrics, extras);
        KpiSnapshot start = collector.Snapshot();
        metrics.Add(Counter.FramesReceived, 1_234_567);
        metrics.Add(Counter.BytesSent, 123_456_789);
        metrics.ObserveQueueDepth(42);
        metrics.RecordLatency(1);
        metrics.Add(Counter.ConnectionsAccepted);
        metrics.CountClose(CloseReason.PeerReset);
        clock.Advance(TimeSpan.FromSeconds(10));
        return KpiInterval.Between(start, collector.Snapshot());
    }

    private static void AssertKeys(string expected, JsonElement element) =>
        Assert.Equal(expected.Split(' '), element.EnumerateObject().Select(static property => property.Name), StringComparer.Ordinal);

    private static void AssertCell(string expected, string title, string header, string row)
    {
        int end = header.IndexOf(title, StringComparison.Ordinal) + title.Length;
        Assert.Equal(expected, row[..end].Split(' ')[^1]);
        Assert.True(end == row.Length || row[end] == ' ');
    }
}
