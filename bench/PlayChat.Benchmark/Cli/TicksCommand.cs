using System.CommandLine;
using System.Globalization;
using System.Text.Json.Nodes;
using PlayChat.Benchmark.Failures;
using PlayChat.Benchmark.Figures;
using PlayChat.Benchmark.Machine;
using PlayChat.Benchmark.Reports;
using PlayChat.Benchmark.Ticks;
using PlayChat.Kpi;

namespace PlayChat.Benchmark.Cli;

/// <summary>The command <c>ticks</c>.</summary>
internal sealed class TicksCommand
{
    private readonly Option<int> _rooms = new("--rooms")
    {
        Description = "Rooms that tick.",
        DefaultValueFactory = _ => 1000,
        HelpName = "N",
    };
    private readonly Option<double> _hertz = new("--hertz")
    {
        Description = "Ticks per second of each room.",
        DefaultValueFactory = _ => 20,
        HelpName = "N",
    };
    private readonly Option<int> _members = new("--members")
    {
        Description = "Members of each room, on loopback sockets.",
        DefaultValueFactory = _ => 2,
        HelpName = "N",
    };
    private readonly Option<int> _size = new("--size")
    {
        Description = "Payload that each tick broadcasts.",
        DefaultValueFactory = _ => 64,
        HelpName = "BYTES",
    };
    private readonly Option<bool> _flood = new("--flood")
    {
        Description = "Add one room that gets jobs as fast as it accepts them, and broadcasts for each.",
    };
    private readonly Option<double> _warmup = new("--warmup")
    {
        Description = "Seconds of warm-up.",
        DefaultValueFactory = _ => 5,
        HelpName = "S",
    };
    private readonly Option<double> _duration = new("--duration")
    {
        Description = "Seconds of measurement.",
        DefaultValueFactory = _ => 30,
        HelpName = "S",
    };
    private readonly Option<string?> _json = new("--json") { Description = "Write the report as JSON.", HelpName = "FILE" };

    /// <summary>Makes the command.</summary>
    /// <param name="commandLine">For the report.</param>
    public Command Create(string commandLine)
    {
        var command = new Command(
            "ticks", "Measures rooms with a fixed tick, all in this process: how late the ticks run, and what they cost.")
        {
            _rooms, _hertz, _members, _size, _flood, _warmup, _duration, _json,
        };
        command.SetAction((result, token) => RunAsync(result, commandLine, token));
        return command;
    }

    private async Task<int> RunAsync(ParseResult result, string commandLine, CancellationToken interrupted)
    {
        var settings = new TickSettings(
            result.GetValue(_rooms), result.GetValue(_hertz), result.GetValue(_members), result.GetValue(_size), result.GetValue(_flood));
        LoadOptions.Require(settings.Rooms is >= 1 and <= 100_000, "--rooms", settings.Rooms, "1 to 100000");
        LoadOptions.Require(settings.Hertz is > 0 and <= 1000, "--hertz", settings.Hertz, "more than 0, to 1000");
        LoadOptions.Require(settings.Members is >= 0 and <= 1000, "--members", settings.Members, "0 to 1000");
        LoadOptions.Require(settings.Bytes is >= 1 and <= 32_768, "--size", settings.Bytes, "1 to 32768");
        double warmup = result.GetValue(_warmup);
        double duration = result.GetValue(_duration);
        LoadOptions.Require(warmup is >= 0 and <= 3600, "--warmup", warmup, "0 to 3600");
        LoadOptions.Require(duration is > 0 and <= 86_400, "--duration", duration, "more than 0, to 86400");
        SystemLimits.Check(2 * (settings.Rooms + 1) * settings.Members, 1); // both ends are in this process

        await using var load = new TickLoad(settings);
        await load.StartAsync();
        await Task.Delay(TimeSpan.FromSeconds(warmup), interrupted);
        DateTime startedAt = DateTime.UtcNow;
        LatencyHistogram before = load.Drift;
        KpiSnapshot from = load.Figures.Snapshot();
        await Task.Delay(TimeSpan.FromSeconds(duration), interrupted);
        var interval = KpiInterval.Between(from, load.Figures.Snapshot());
        LatencyHistogram drift = load.Drift;
        drift.Subtract(before);
        double missed = interval.Extras.FirstOrDefault(static extra => extra.Name == "ticks missed").Value;
        RunReport report = Report(settings, drift.Summarize(), missed, interval);
        report.Json["warmup_s"] = JsonFigures.Round(warmup);
        report.Json["started_at"] = startedAt.ToString("O", CultureInfo.InvariantCulture);
        report.Json["command_line"] = commandLine;
        report.Json["machine"] = MachineInfo.ToJson();
        Write(result.InvocationConfiguration.Output, drift.Summarize(), missed, interval);
        await report.WriteAsync(result.GetValue(_json), csvPath: null);
        return report.Good ? 0 : ExitCodes.Failed;
    }

    private static RunReport Report(TickSettings settings, LatencySummary drift, double missed, KpiInterval interval)
    {
        var json = new JsonObject
        {
            ["mode"] = "ticks",
            ["rooms"] = settings.Rooms,
            ["hertz"] = settings.Hertz,
            ["members"] = settings.Members,
            ["size"] = settings.Bytes,
            ["flood"] = settings.Flood,
            ["duration_s"] = JsonFigures.Round(interval.Duration.TotalSeconds),
            ["ticks"] = drift.Count,
            ["ticks_per_s"] = JsonFigures.Round(drift.Count / interval.Duration.TotalSeconds),
            ["missed"] = missed,
            ["drift_us"] = JsonFigures.Latency(drift),
            ["drift_buckets"] = JsonFigures.Buckets(drift),
            ["deliveries_per_s"] = JsonFigures.Round(interval.DeliveriesPerSecond),
            ["jobs_per_s"] = JsonFigures.Round(interval.JobsExecutedPerSecond),
            ["cpu_percent"] = JsonFigures.Round(interval.CpuPercent),
            ["gc_pause_ms"] = JsonFigures.Round(interval.GcPause.TotalMilliseconds),
        };
        return new RunReport(json, Good: missed == 0);
    }

    private static void Write(TextWriter output, LatencySummary drift, double missed, KpiInterval interval)
    {
        CultureInfo culture = CultureInfo.InvariantCulture;
        output.WriteLine(string.Create(
            culture, $"ticks       {drift.Count} in {interval.Duration.TotalSeconds:N1} s, {missed} missed"));
        output.WriteLine(string.Create(
            culture,
            $"drift (µs)  p50 {drift.P50Microseconds:N0}, p90 {drift.P90Microseconds:N0}, p99 {drift.P99Microseconds:N0}, "
            + $"p99.9 {drift.P999Microseconds:N0}, max {drift.MaxMicroseconds:N0}"));
        output.WriteLine(string.Create(
            culture, $"deliveries  {interval.DeliveriesPerSecond:N0}/s, jobs {interval.JobsExecutedPerSecond:N0}/s"));
        output.WriteLine(string.Create(culture, $"cpu         {interval.CpuPercent:N1} % of one processor"));
    }
}
