using System.Text.Json.Nodes;
using PlayChat.Kpi;
using PlayChat.TestUtilities;

namespace PlayChat.Benchmark.Tests.Reports;

public sealed class ReportTests
{
    private const string Common = "warmup_s duration_s server client interrupted started_at command_line machine intervals";
    private const string Latency = "mean p50 p90 p95 p99 p999 max";

    private static readonly RunPlan s_plan =
        new(TimeSpan.FromSeconds(1), TimeSpan.Zero, TimeSpan.FromSeconds(10), TimeSpan.FromSeconds(10), TimeSpan.FromSeconds(5));

    [Fact]
    public async Task The_keys_of_an_echo_report_are_those_of_the_documentation()
    {
        JsonObject report = (await CreateEchoAsync(server: null)).Json;

        AssertKeys(
            "mode ccu inflight size framing rate sample_every messages messages_per_s rtt_us errors sent_total incomplete incomplete_ratio "
            + "gating_violation drain_timeout " + Common,
            report);
        AssertKeys(Latency, report["rtt_us"]);
        AssertKeys(
            "phase at_s sent_per_s received_per_s latency_us connections server server_working_set_bytes",
            report["intervals"]![0]);
        AssertKeys(
            "processor processors memory_bytes os architecture runtime playchat client_gc client_gc_latency_mode somaxconn local_ports "
            + "file_handles",
            report["machine"]);
    }

    [Fact]
    public async Task The_keys_of_a_chat_report_are_those_of_the_documentation()
    {
        await using var scenario = new ChatScenario(new FanoutSettings(6, 2, 10, PayloadMix.Parse(PayloadMix.Default), Seed: 1));

        JsonObject report = RunReport.Create(scenario, s_plan, Outcome(server: null), "chat").Json;

        AssertKeys(
            "mode clients rooms rps mix seed nodes messages app_in_per_s deliveries deliveries_per_s expected_deliveries "
            + "fan_out lost duplicated reordered corrupted errors drain_timeout latency_us latency_buckets send_lag_us valid "
            + "invalid_because fanout deliveries_per_io stalled " + Common,
            report);
        AssertKeys(Latency, report["latency_us"]);
        AssertKeys(Latency, report["send_lag_us"]);
        AssertKeys("le_100us le_500us le_1ms le_5ms le_10ms le_50ms gt_50ms", report["latency_buckets"]);
        Assert.Contains("lost 0, duplicated 0", SummaryText.Format(new RunReport(report, Good: true), []), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_chat_report_tells_what_became_of_readers_that_stall()
    {
        await using var scenario = new ChatScenario(
            new FanoutSettings(6, 2, 10, PayloadMix.Parse(PayloadMix.Default), Seed: 1)
            {
                Stalled = 2,
            });

        JsonObject report = RunReport.Create(scenario, s_plan, Outcome(server: null), "chat").Json;

        AssertKeys("clients reset closed_as_slow_consumer", report["stalled"]);
        string text = SummaryText.Format(new RunReport(report, Good: true), []);
        Assert.Contains("\nstalled        clients 2, reset 0", text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_servers_figures_are_null_when_they_are_not_known()
    {
        JsonNode? server = (await CreateEchoAsync(server: null)).Json["server"];

        AssertKeys(
            "cpu_us_per_message cpu_us_per_delivery cpu_percent peak_working_set_bytes peak_working_set_mb gc0 gc1 gc2 gc_pause_ms "
            + "allocated_bytes_per_message latency_us receives_per_s bytes_received_per_s mb_received_per_s messages_per_s "
            + "frames_sent_per_s deliveries_per_s sends_per_s bytes_sent_per_s deliveries_per_send jobs_enqueued_per_s "
            + "jobs_per_s job_queue_peak send_buffers_in_use send_buffers_peak send_buffer_pushes_per_s send_buffer_pops_per_s "
            + "pool_in_use pool_peak pool_new_per_s pool_returns_per_s pool_reuse_percent measured_s",
            server);
        Assert.All(server!.AsObject(), static pair => Assert.Null(pair.Value));
    }

    [Fact]
    public async Task What_the_load_itself_used_stands_in_the_report()
    {
        JsonNode? client = (await CreateEchoAsync(server: null)).Json["client"];

        AssertKeys("cpu_percent peak_working_set_mb gc0 gc1 gc2 gc_pause_ms allocated_mb", client);
        Assert.True((double)client!["peak_working_set_mb"]! > 0);
    }

    [Fact]
    public async Task The_servers_figures_stand_in_the_report_when_they_are_known()
    {
        JsonNode server = (await CreateEchoAsync(Server())).Json["server"]!;

        Assert.Equal(500, (double)server["cpu_us_per_message"]!);
        Assert.Equal(25, (double)server["cpu_percent"]!);
        Assert.Equal(77, (long)server["peak_working_set_bytes"]!);
        Assert.Equal(3, (int)server["gc0"]!);
        Assert.Null(server["cpu_us_per_delivery"]);
    }

    [Fact]
    public void The_table_fits_in_a_terminal_of_80_columns_and_repeats_its_titles_after_ten_rows()
    {
        var table = new IntervalTable();
        IntervalFigures row = Row() with { AtSeconds = 3_600, SentPerSecond = 12_345_678, ReceivedPerSecond = 9_999, Server = Server() };

        string[] lines = Enumerable.Range(0, 11).SelectMany(_ => table.Format(row).Split('\n')).ToArray();

        Assert.Equal(13, lines.Length);
        Assert.Equal((lines[0], lines[1]), (lines[11], lines[12]));
        Assert.All(lines, static line => Assert.Equal(76, line.Length));
    }

    private static async Task<RunReport> CreateEchoAsync(ServerFigures? server)
    {
        await using var scenario = new EchoScenario(new EchoSettings(4, 8, 64, EchoFraming.Length4));
        return RunReport.Create(scenario, s_plan, Outcome(server), "echo --mix \"a,b\"");
    }

    private static ServerFigures Server()
    {
        Assert.True(KpiJson.TryParse(
            """{"timestamp":"2026-01-01T00:00:00Z","uptime_s":1,"total":{},"process":{}}""", null, out KpiSnapshot? first));
        Assert.True(KpiJson.TryParse(
            """
            {"timestamp":"2026-01-01T00:00:02Z","uptime_s":3,"total":{"frames_received":1000},
            "process":{"cpu_ms":500,"peak_working_set_bytes":77,"gc0":3}}
            """,
            first,
            out KpiSnapshot? last));
        return new ServerFigures(KpiInterval.Between(first, last));
    }

    internal static RunOutcome Outcome(ServerFigures? server) => new(10, Drained: true, Interrupted: false, [Row()], server)
    {
        Client = new ClientFigures(ProcessFigures.Read(), ProcessFigures.Read(), Seconds: 10),
    };

    private static IntervalFigures Row() => new(RunPhase.Measure, 5, 100, 100, new LatencyHistogram().Summarize(), 0, Server: null);

    private static void AssertKeys(string expected, JsonNode? actual) =>
        Assert.Equal(expected, string.Join(' ', actual!.AsObject().Select(static pair => pair.Key)));
}
