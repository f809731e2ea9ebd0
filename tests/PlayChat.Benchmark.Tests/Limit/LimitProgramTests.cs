using System.Globalization;
using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Failures;
using PlayChat.Benchmark.Limit;
using PlayChat.TestUtilities;

namespace PlayChat.Benchmark.Tests.Limit;

/// <summary>Tables, verdicts and exit codes of recorded figures.</summary>
public sealed class LimitProgramTests
{
    private readonly StringWriter _output = new();

    [Fact]
    public async Task A_row_whose_multiple_of_c_is_within_the_bar_passes()
    {
        int code = await RunAsync("E4", 1, static (server, _) => Echo(server == "C" ? 5.9307 : 7.2232));

        Assert.Equal(0, code);
        Assert.Contains("| E4       | C       | 5.93   | 1.00 (1.00–1.00) |", _output.ToString(), StringComparison.Ordinal);
        Assert.Matches(@"\| E4 +\| default +\| 7.22 +\| 1.22 \(1.22–1.22\) .* cpu/C 2.1 +\| pass +\|", _output.ToString());
        Assert.Contains("Every bar that was measured is met.", _output.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_missed_bar_is_named_and_makes_the_exit_code_1()
    {
        int code = await RunAsync("E4", 1, static (server, _) => Echo(server == "C" ? 1 : 2.1006));

        Assert.Equal(ExitCodes.Failed, code);
        Assert.Contains("FAIL: cpu/C", _output.ToString(), StringComparison.Ordinal);
        Assert.Contains("Rows that miss a bar: 1.", _output.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_multiple_is_of_the_same_round_and_the_bar_is_about_the_median()
    {
        // The machine is twice as slow in the second round, and disturbed in the third.
        double[] c = [1, 2, 1];
        double[] own = [1.5, 3, 4];

        int code = await RunAsync("E4", 3, (server, round) => Echo(server == "C" ? c[round - 1] : own[round - 1]));

        Assert.Equal(0, code);
        Assert.Contains("1.50 (1.50–4.00)", _output.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_capacity_is_judged_by_its_share_alone()
    {
        int code = await RunAsync(
            "F2", 1, static (server, _) => $$"""{"deliv_s": {{(server == "C" ? 1000 : 700)}}, "p99_us": 20190, "hwm_kb": 124928}""");

        Assert.Equal(0, code);
        Assert.Matches(@"\| F2 +\| default +\| 700 +\| 0.70 \(0.70–0.70\)", _output.ToString());
    }

    [Fact]
    public async Task Peak_memory_is_that_of_the_worst_round()
    {
        int code = await RunAsync(
            "F2", 3, static (_, round) => $$"""{"deliv_s": 1000, "hwm_kb": {{(round == 2 ? 210_000 : 100_000)}}}""");

        Assert.Equal(ExitCodes.Failed, code);
        Assert.Contains("FAIL: peak", _output.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_server_that_does_not_start_fails_and_the_reason_is_shown()
    {
        int code = await RunAsync("E4", 1, static (server, _) => server == "C" ? Echo(5) : throw new RunFailedException("No such option."));

        Assert.Equal(ExitCodes.Failed, code);
        Assert.Contains("FAIL: cpu/C, a run failed", _output.ToString(), StringComparison.Ordinal);
        Assert.Contains("E4, default, round 1: No such option.", _output.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_run_with_errors_fails_however_fast_it_was()
    {
        int code = await RunAsync("E4", 1, static (server, _) => server == "C" ? Echo(5) : Echo(5, "\"errors\": 1, \"closed\": 2,"));

        Assert.Equal(ExitCodes.Failed, code);
        Assert.Contains("E4, default, round 1: 1 errors; 2 closed", _output.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Stalled_readers_that_are_not_closed_fail_the_scenario()
    {
        int code = await RunAsync("F5", 1, static (server, _) =>
            $$"""{"cpu_us_deliv": 1, "p99_us": 1, "stalled_closed": {{(server == "C" ? 5 : 4)}}}""");

        Assert.Equal(ExitCodes.Failed, code);
        Assert.Contains("FAIL: stalled", _output.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_interrupted_program_shows_what_it_has()
    {
        using var interrupt = new CancellationTokenSource();

        int code = await RunAsync(
            "E4",
            1,
            (_, _) =>
            {
                interrupt.Cancel();
                return Echo(5);
            },
            interrupt.Token);

        Assert.Equal(ExitCodes.Interrupted, code);
        Assert.Contains("| E4 ", _output.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Collections_are_counted_over_the_last_ten_seconds()
    {
        using var folder = new TemporaryDirectory();
        string[] lines = Enumerable.Range(0, 14)
            .Select(static i => string.Create(
                CultureInfo.InvariantCulture,
                $"{{\"timestamp\": \"2026-01-01T00:00:{i:00}Z\", \"uptime_s\": {i}, \"total\": {{\"frames_received\": {i * 100}}}, "
                + $"\"process\": {{\"gc0\": {i / 13}, \"allocated_bytes\": {i * 1024}}}}}\n"))
            .Append("{\"uptime_s\": 14, \"gc")
            .ToArray();
        File.WriteAllText(folder.Combine("all"), string.Concat(lines));
        File.WriteAllText(folder.Combine("few"), string.Concat(lines[..10]));

        Assert.Equal("""{"gc0":1,"bytes":10.24,"bytes_s":1}""", LimitFigures.OfKpis(new KpiFile(folder.Combine("all")))!.ToJsonString());
        Assert.Null(LimitFigures.OfKpis(new KpiFile(folder.Combine("few"))));
    }

    private static string Echo(double cpu, string more = "") => string.Create(
        CultureInfo.InvariantCulture,
        $$"""{{{more}} "cpu_us_msg": {{cpu}}, "msg_s": 98400, "p50_us": 300, "p99_us": 580, "conn_msgs_min": 10, "conn_msgs_max": 11}""");

    private async Task<int> RunAsync(
        string scenario, int rounds, Func<string, int, string> load, CancellationToken interrupted = default)
    {
        var counts = new Dictionary<string, int>(StringComparer.Ordinal);
        var options = new LimitOptions(LimitScenarios.Choose([scenario]), ["default"], rounds, 1, 1, "/server");
        var program = new LimitProgram(options, _output, TextWriter.Null, (arguments, _, _, _) =>
        {
            string server = arguments[1];
            counts[server] = counts.GetValueOrDefault(server) + 1;
            System.Text.Json.Nodes.JsonObject report = LimitFigures.OfLoad(load(server, counts[server]))!;
            string? faults = LimitFigures.FaultsOf(report);
            return Task.FromResult(new ChildOutcome(faults is null ? 0 : 1, report, faults));
        });
        return await program.RunAsync(interrupted);
    }
}
