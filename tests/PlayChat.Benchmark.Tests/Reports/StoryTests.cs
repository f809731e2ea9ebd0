using System.Text.Json.Nodes;
using System.Xml.Linq;
using PlayChat.Benchmark.Cli;
using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Experiments.Suite;
using PlayChat.Benchmark.Failures;
using PlayChat.Benchmark.Reports.Files;
using PlayChat.Benchmark.Reports.Story;
using PlayChat.Benchmark.Reports.Suite;
using PlayChat.TestUtilities;

namespace PlayChat.Benchmark.Tests.Reports;

/// <summary>The page about a suite's results: each number on it is one of the results.</summary>
public sealed class StoryTests
{
    private static readonly StoryResults s_results = StoryResults.Parse(SuiteJson.Format(CreateReport()));

    private static readonly StoryPage s_page = StoryPage.Create(s_results, "abc1234");

    [Fact]
    public void The_page_has_five_charts_and_every_number()
    {
        Assert.Empty(s_page.Missing);
        Assert.Equal(
            ["chat-fanout.svg", "classroom-broadcast.svg", "connection-ramp.svg", "request-reply.svg", "stream.svg"],
            s_page.Charts.Keys.Order(StringComparer.Ordinal),
            StringComparer.Ordinal);
        Assert.DoesNotContain("{{", s_page.Text, StringComparison.Ordinal);
        Assert.DoesNotContain("why: ", s_page.Text, StringComparison.Ordinal);
        Assert.Contains("commit abc1234", s_page.Text, StringComparison.Ordinal);
        Assert.All(s_page.Charts.Keys, file => Assert.Contains($"]({file})", s_page.Text, StringComparison.Ordinal));
    }

    [Fact]
    public void A_figure_is_shown_in_milliseconds()
    {
        // 8 B, CCU 1000: the invented server's p50 is 4,000 µs; the published one is exact.
        var page = StoryPage.Create(
            s_results,
            commit: null,
            """
            {{figure request-reply | PlayChat | 8 B, CCU 1000 | p50_us}},
            {{figure request-reply | PlayHouse (.NET 8) | 8 B, CCU 1000 | p50_us}},
            {{figure stream | PlayChat | 64 B | cpu_us_per_message}}, {{times stream | 64 B | messages_per_s | PlayChat | kestrel}}
            """);

        Assert.Equal("4 ms,\n1,113 ms,\n0.5 ms for 1,000, 2\n", page.Text);
    }

    [Fact]
    public void A_number_that_was_not_measured_is_named()
    {
        var page = StoryPage.Create(s_results, commit: null, "It takes {{figure stream | nginx | 64 B | p50_us}}.");

        Assert.Equal("It takes (not measured).\n", page.Text);
        Assert.Equal("stream, nginx, 64 B, p50_us", Assert.Single(page.Missing));
    }

    [Fact]
    public void A_chart_is_an_image_with_a_bar_for_each_server_and_hatched_published_ones()
    {
        XElement chart = XDocument.Parse(s_page.Charts["request-reply.svg"]).Root!;
        XNamespace svg = "http://www.w3.org/2000/svg";
        string[] texts = chart.Elements(svg + "text").Select(static text => text.Value).ToArray();

        Assert.Contains("PlayChat, packets", texts, StringComparer.Ordinal);
        Assert.Contains("kestrel, packets", texts, StringComparer.Ordinal);
        Assert.Contains("PlayHouse (.NET 8)", texts, StringComparer.Ordinal);
        Assert.Contains("1,113 ms", texts, StringComparer.Ordinal);
        Assert.Contains(chart.Elements(), static mark => (string?)mark.Attribute("class") == "b-ours");
        Assert.Contains(chart.Elements(), static mark => (string?)mark.Attribute("class") == "b-pub");
    }

    [Fact]
    public void Bars_of_values_that_are_alike_start_at_zero()
    {
        StoryBar[] bars =
        [
            new("PlayChat", new FigureRange(5, 5, 5), Published: false, Valid: true),
            new("kestrel", new FigureRange(10, 8, 12), Published: false, Valid: false),
        ];

        XElement chart = XDocument.Parse(StoryChart.Draw("Times", bars, "ms")).Root!;
        XNamespace svg = "http://www.w3.org/2000/svg";

        double[] widths = chart.Elements(svg + "rect").Select(static bar => (double)bar.Attribute("width")!).ToArray();
        Assert.Equal(2, widths[1] / widths[0], 0.01);
        Assert.Contains("(!) 10 ms", chart.Elements(svg + "text").Select(static text => text.Value), StringComparer.Ordinal);
    }

    [Fact]
    public void Where_another_server_is_ahead_the_page_says_so_with_a_reason()
    {
        // The invented async-socket is faster in the stream; kestrel is slower.
        Assert.Contains(
            "| Stream: frames of every size | 64 B | throughput | 1,000,000 msg/s | async-socket: 4,000,000 msg/s | This server",
            s_page.Text,
            StringComparison.Ordinal);
        Assert.DoesNotContain("| kestrel: ", s_page.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void The_results_are_kept_without_the_rows_of_single_seconds()
    {
        JsonNode run = JsonNode.Parse(s_results.FormatSmall())!["experiments"]![0]!["runs"]![0]!;

        Assert.False(run["reports"]![0]!.AsObject().ContainsKey("intervals"));
        Assert.NotNull(run["reports"]![0]!["server"]!["cpu_us_per_delivery"]);
        Assert.NotNull(run["figures"]!["p99_us"]);
        Assert.Equal(s_page.Text, StoryPage.Create(StoryResults.Parse(s_results.FormatSmall()), "abc1234").Text);
    }

    [Fact]
    public void The_table_of_the_readme_is_replaced_and_nothing_else()
    {
        const string Document = "# A\n\n| a |\n| - |\n\n## Performance\n\nText.\n\n| old |\n| --- |\n| 1 |\n\nMore.\n";

        string document = ReadmeTable.Replace(Document, ReadmeTable.Format(s_results));

        Assert.StartsWith("# A\n\n| a |\n| - |\n\n## Performance\n\nThe server sends", document, StringComparison.Ordinal);
        Assert.Contains("| PlayChat, default | 0.5 µs | 1 million | 9 ms |\n", document, StringComparison.Ordinal);
        Assert.Contains("| Kestrel `ConnectionHandler` | 1 µs | 0.5 million | 18 ms |\n", document, StringComparison.Ordinal);
        Assert.EndsWith(" ms |\n\nMore.\n", document, StringComparison.Ordinal);
        Assert.DoesNotContain("old", document, StringComparison.Ordinal);
        Assert.Throws<RunFailedException>(static () => ReadmeTable.Replace("# A\n", "| x |\n"));
    }

    [Fact]
    public async Task The_command_writes_the_page_its_charts_and_the_report()
    {
        using var folder = new TemporaryDirectory();
        string report = Directory.CreateDirectory(folder.Combine("suite")).FullName;
        string readme = folder.Combine("README.md");
        await SuiteFiles.WriteAsync(CreateReport(), report);
        await File.WriteAllTextAsync(readme, "## Performance\n\n| old |\n");
        var errors = new StringWriter();

        int code = await BenchmarkProgram.RunAsync(
            ["story", "--report", report, "--output", folder.Combine("page"), "--echo", report, "--readme", readme],
            TextWriter.Null,
            errors);

        Assert.Equal((0, string.Empty), (code, errors.ToString()));
        Assert.Equal(
            [
                "README.md", "chat-fanout.svg", "classroom-broadcast.svg", "connection-ramp.svg", "report.html", "request-reply.svg",
                "results.json", "stream.svg",
            ],
            Directory.GetFiles(folder.Combine("page")).Select(Path.GetFileName).Order(StringComparer.Ordinal),
            StringComparer.Ordinal);
        Assert.Contains("| server | CPU time per message |", await File.ReadAllTextAsync(readme), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("story --report . --output page --echo .", "--echo and --readme belong together.", ExitCodes.InvalidArguments)]
    [InlineData("story --report /no/such/folder --output page", "'/no/such/folder/results.json' is not a results.json", ExitCodes.Failed)]
    public async Task A_wrong_command_line_gets_one_line(string commandLine, string message, int expected)
    {
        var errors = new StringWriter();

        int code = await BenchmarkProgram.RunAsync(commandLine.Split(' '), TextWriter.Null, errors);

        Assert.Equal(expected, code);
        Assert.StartsWith(message, errors.ToString(), StringComparison.Ordinal);
    }

    /// <summary>The standard suite with invented figures: every server is half as fast as PlayChat, but one that is faster.</summary>
    private static SuiteReport CreateReport()
    {
        ExperimentSettings settings = SuiteSample.Settings(rounds: 2) with
        {
            Against = [Subjects.NativeLinux, "kestrel", "async-socket"],
            ServerCpus = null,
            ClientCpus = null,
        };
        IReadOnlyList<Experiment> experiments = SuiteExperiments.Create(SuiteSize.Standard, settings);
        return new SuiteReport(
            new ExperimentPlan(experiments, settings),
            experiments.Select(static experiment => new ExperimentResult(experiment, experiment.Runs
                .Select(run => new RunResult(
                    run, [new RoundResult(Invent(run), Problem: null), new RoundResult(Invent(run), Problem: null)]))
                .ToArray())).ToArray(),
            "suite --standard",
            DateTimeOffset.UnixEpoch,
            TimeSpan.FromHours(1),
            Interrupted: false);
    }

    private static JsonObject Invent(ExperimentRun run)
    {
        double speed = Subjects.IsOurs(run.Subject) ? 1 : run.Subject == "async-socket" ? 4 : 0.5;
        return new JsonObject
        {
            ["messages_per_s"] = 1e6 * speed,
            ["deliveries_per_s"] = 1e6,
            ["rtt_us"] = Latency(speed),
            ["latency_us"] = Latency(speed),
            ["server"] = new JsonObject { ["cpu_us_per_message"] = 0.5 / speed, ["cpu_us_per_delivery"] = 0.5 / speed },
            ["observer"] = new JsonObject { ["average_ms"] = 10 / speed },
            ["memory_bytes_per_connection"] = 3000 / speed,
            ["cpu_percent_held"] = 4 / speed,
            ["accepted"] = 3000d,
            ["intervals"] = new JsonArray(new JsonObject { ["at_s"] = 1d }),
        };
    }

    private static JsonObject Latency(double speed) => new() { ["p50"] = 4000 / speed, ["p90"] = 6000 / speed, ["p99"] = 9000 / speed };
}
