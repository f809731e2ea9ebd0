using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using PlayChat.TestUtilities;

namespace PlayChat.Benchmark.Tests.Reports;

public sealed partial class SuiteReportTests
{
    // bench/README.md, "results.json", says what they mean.
    private const string Keys =
        """
        schema command_line started_at duration_s commit rounds interrupted not_run skipped[] machine problems[]
        experiments[].name experiments[].title experiments[].source experiments[].about
        experiments[].figures[].key experiments[].figures[].title experiments[].figures[].unit experiments[].figures[].path
        experiments[].figures[].better
        experiments[].measured experiments[].charts[].title experiments[].charts[].key experiments[].charts[].cases[]
        experiments[].moments[].key experiments[].moments[].title experiments[].moments[].unit experiments[].moments[].path
        experiments[].moments[].better
        experiments[].sweeps[].name experiments[].sweeps[].figure experiments[].sweeps[].cases
        experiments[].published[].subject experiments[].published[].case experiments[].published[].key experiments[].published[].value
        experiments[].published[].at_seconds
        experiments[].runs[].subject experiments[].runs[].case experiments[].runs[].client experiments[].runs[].arguments[]
        experiments[].runs[].command_line experiments[].runs[].problems[] experiments[].runs[].good[] experiments[].runs[].reports[]
        experiments[].runs[].figures.KEY.median experiments[].runs[].figures.KEY.min experiments[].runs[].figures.KEY.max
        """;

    [Fact]
    public void The_keys_of_results_json_change_only_with_the_schema()
    {
        SuiteReport report = Complete();

        IEnumerable<string> keys = Leaves(string.Empty, JsonNode.Parse(report.ToJson()));

        Assert.Equal(
            Keys.Split((char[])[' ', '\n', '\r'], StringSplitOptions.RemoveEmptyEntries).Order(StringComparer.Ordinal),
            keys.Distinct(StringComparer.Ordinal).Order(StringComparer.Ordinal));
    }

    [Fact]
    public void The_page_needs_no_other_file_and_no_script()
    {
        string html = HtmlPage.Format(Complete());

        Assert.DoesNotContain("http", html, StringComparison.OrdinalIgnoreCase);
        Assert.DoesNotContain("<script", html, StringComparison.OrdinalIgnoreCase);
        Assert.DoesNotContain("src=", html, StringComparison.OrdinalIgnoreCase);
        Assert.DoesNotContain("@import", html, StringComparison.OrdinalIgnoreCase);
        Assert.All(Urls().Matches(html).Select(static match => match.Value), static url => Assert.Equal("url(#hatch)", url));
    }

    [Fact]
    public void The_page_shows_everything_once_and_closes_what_it_opens()
    {
        SuiteReport report = Complete();

        string html = HtmlPage.Format(report);

        Assert.Contains(SuiteText.AboutPublished, html, StringComparison.Ordinal);
        Assert.All(report.Results, result => Assert.Contains($"<section id=\"{result.Experiment.Name}\">", html, StringComparison.Ordinal));
        Assert.All(report.Results.SelectMany(static result => result.Experiment.Charts), chart => Assert.Single(
            Regex.Matches(html, $"<figcaption>{Regex.Escape(chart.Title)}<", RegexOptions.None, TimeSpan.FromSeconds(1))));
        Assert.Contains("⚠ stream, kestrel, 64 KB, round 2: 12 incomplete", html, StringComparison.Ordinal);
        Assert.Contains("<td>▼ behind</td>", html, StringComparison.Ordinal);
        Assert.Contains("Skipped: cluster over RabbitMq. There is no RabbitMQ here.", html, StringComparison.Ordinal);
        Assert.Contains("<td>1,976,000 (1,900,000–2,052,000)</td>", html, StringComparison.Ordinal);
        Assert.Contains("(fails --fail-if \"p99_us&gt;1\")", html, StringComparison.Ordinal);
        Assert.DoesNotContain("NaN", html, StringComparison.Ordinal);
        AssertBalanced(html);
    }

    [Fact]
    public void What_is_read_from_results_json_makes_the_same_page()
    {
        using var folder = new TemporaryDirectory();
        SuiteReport report = Complete() with { Verdicts = [] }; // judged once, at the end of the suite
        File.WriteAllText(folder.Combine("results.json"), report.ToJson());

        var read = SuiteReport.Read(folder.Combine("results.json"));

        Assert.Equal(report.ToJson(), read.ToJson());
        Assert.Equal(HtmlPage.Format(report), HtmlPage.Format(read));
    }

    [Fact]
    public async Task A_page_for_a_repository_has_a_chart_of_each_experiment_and_where_others_are_ahead()
    {
        using var folder = new TemporaryDirectory();
        await File.WriteAllTextAsync(folder.Combine("results.json"), Complete().ToJson());

        int code = await BenchmarkProgram.RunAsync(
            ["report", folder.Combine("results.json"), folder.Combine("page"), "--commit", "def"], TextWriter.Null, TextWriter.Null);

        Assert.Equal(0, code);
        Assert.Equal(
            ["README.md", "chat-fanout.svg", "connection-ramp.svg", "report.html", "results.json", "stream.svg"],
            Directory.GetFiles(folder.Combine("page")).Select(Path.GetFileName).Order(StringComparer.Ordinal),
            StringComparer.Ordinal);
        string page = await File.ReadAllTextAsync(folder.Combine("page/README.md"));
        Assert.Contains("commit def", page, StringComparison.Ordinal);
        Assert.Contains(SuiteText.AboutPublished, page, StringComparison.Ordinal);
        Assert.Contains("(stream.svg)", page, StringComparison.Ordinal);
        Assert.Matches(@"\| 64 B +\| throughput +\| async-socket \| 2,", page);
        Assert.Contains("- stream, kestrel, 64 KB, round 2: 12 incomplete", page, StringComparison.Ordinal);
        Assert.Contains("Best number of bytes", page, StringComparison.Ordinal);
        Assert.Contains("<svg ", await File.ReadAllTextAsync(folder.Combine("page/stream.svg")), StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_experiment_that_is_measured_again_takes_its_place_among_the_others_and_says_so()
    {
        using var folder = new TemporaryDirectory();
        SuiteReport before = Complete();
        ExperimentResult stream = SuiteSample.Stream(rounds: 1);
        SuiteReport later = before with { Results = [stream], Rounds = 1, StartedAt = before.StartedAt.AddDays(1) };
        await File.WriteAllTextAsync(folder.Combine("results.json"), before.ToJson());
        await File.WriteAllTextAsync(folder.Combine("later.json"), later.ToJson());

        int code = await BenchmarkProgram.RunAsync(
            ["report", folder.Combine("later.json"), folder.Path, "--commit", "def", "--update", folder.Combine("results.json")],
            TextWriter.Null,
            TextWriter.Null);

        Assert.Equal(0, code);
        var read = SuiteReport.Read(folder.Combine("results.json"));
        Assert.Equal((before.Commit, before.StartedAt), (read.Commit, read.StartedAt));
        Assert.Equal(
            before.Results.Select(static result => result.Experiment.Name),
            read.Results.Select(static result => result.Experiment.Name),
            StringComparer.Ordinal);
        ExperimentResult updated = Assert.Single(read.Results, static result => result.Measured is not null);
        Assert.Equal("stream", updated.Experiment.Name);
        Assert.All(updated.Runs, static run => Assert.Single(run.Rounds));
        Assert.EndsWith("UTC, 1 round, commit def.", updated.Measured, StringComparison.Ordinal);
        Assert.Contains(updated.Measured!, await File.ReadAllTextAsync(folder.Combine("README.md")), StringComparison.Ordinal);
        Assert.Contains(updated.Measured!, await File.ReadAllTextAsync(folder.Combine("report.html")), StringComparison.Ordinal);
    }

    [Fact]
    public void Runs_with_another_load_or_client_are_never_compared()
    {
        ExperimentResult result = SuiteSample.Stream(rounds: 1);
        RunResult kestrel = result.Runs.First(static run => run.Run.Subject == "kestrel");
        RunResult otherLoad = kestrel with { Run = kestrel.Run with { Arguments = [.. kestrel.Run.Arguments, "--inflight", "9"] } };
        RunResult otherClient = kestrel with { Client = "signalr" };

        Assert.True(IsCompared(kestrel));
        Assert.False(IsCompared(otherLoad));
        Assert.False(IsCompared(otherClient));

        bool IsCompared(RunResult run) => Ratio.Of(result with { Runs = [result.Runs[0], run] }).Count > 0;
    }

    [Fact]
    public void Ahead_and_behind_follow_the_better_direction_and_the_range()
    {
        var rate = new Figure("rate", "rate", "/s", "rate", Better.Higher);
        var time = new Figure("time", "time", "µs", "time", Better.Lower);

        Assert.Equal(Standing.Ahead, RatioOf(rate, new FigureRange(1.2, 1.1, 1.3), 3).Standing);
        Assert.Equal(Standing.Behind, RatioOf(time, new FigureRange(1.2, 1.1, 1.3), 3).Standing);
        Assert.Equal(Standing.Ahead, RatioOf(time, new FigureRange(0.5, 0.4, 0.6), 3).Standing);
        Assert.Equal(Standing.Even, RatioOf(rate, new FigureRange(1.2, 0.9, 1.3), 3).Standing);
        Assert.Equal(Standing.Even, RatioOf(rate, new FigureRange(0.98, 0.98, 0.98), 3).Standing);
        Assert.Equal(Standing.Even, RatioOf(rate, new FigureRange(1.08, 1.08, 1.08), 1).Standing);
        Assert.Equal(Standing.Ahead, RatioOf(rate, new FigureRange(1.12, 1.12, 1.12), 1).Standing);
        Assert.Equal(
            Standing.Behind, RatioOf(time, new FigureRange(double.PositiveInfinity, 2, double.PositiveInfinity), 3).Standing);
        Assert.Equal(Standing.NotValid, RatioOf(rate, new FigureRange(1.2, 1.1, 1.3), 0).Standing);
    }

    [Fact]
    public void A_run_without_a_good_round_is_marked_and_counts_for_nothing()
    {
        SuiteReport sample = SuiteSample.Create(rounds: 1);
        ExperimentResult stream = sample.Results[0];
        RunResult[] runs = stream.Runs
            .Select(static run => run.Run is { Subject: "kestrel", Case: "64 B" }
                ? run with { Rounds = [run.Rounds[0] with { Problem = "the load fell behind its plan" }] }
                : run)
            .ToArray();
        SuiteReport report = sample with { Results = [stream with { Runs = runs }] };

        string html = HtmlPage.Format(report);

        Assert.Contains("<td>kestrel</td><td>(!) 1,4", html, StringComparison.Ordinal);
        Assert.Contains("<td>(!)</td>", html, StringComparison.Ordinal);
        Assert.Contains("1 problem, named with the experiment; 0 of PlayChat's own runs.", html, StringComparison.Ordinal);
        Assert.Contains("1 run has no good round", html, StringComparison.Ordinal);
        Assert.Contains("of 9 comparisons with other servers", html, StringComparison.Ordinal);
        Assert.Contains("(with one good round, 10 % more or less count as even", html, StringComparison.Ordinal);
        AssertBalanced(html);
    }

    [Fact]
    public void Reports_of_another_schema_are_refused()
    {
        using var folder = new TemporaryDirectory();
        File.WriteAllText(folder.Combine("a.json"), """{"schema": 2, "experiments": []}""");

        UsageException e = Assert.Throws<UsageException>(() => Comparison.OfFiles(folder.Combine("a.json"), folder.Combine("a.json")));

        Assert.EndsWith("is not a results.json of schema 3.", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_changed_figure_is_better_or_worse_only_when_the_ranges_are_apart()
    {
        SuiteReport sample = SuiteSample.Create();
        using var folder = new TemporaryDirectory();
        File.WriteAllText(folder.Combine("now.json"), sample.ToJson());
        JsonObject earlier = JsonNode.Parse(sample.ToJson())!.AsObject();
        foreach (JsonNode? report in earlier["experiments"]![0]!["runs"]![0]!["reports"]!.AsArray())
        {
            report!["messages_per_s"] = 988_000d;
        }

        earlier["machine"]!["processor"] = "Abacus";
        File.WriteAllText(folder.Combine("earlier.json"), earlier.ToJsonString());

        var comparison = Comparison.OfFiles(folder.Combine("earlier.json"), folder.Combine("now.json"));

        Change change = comparison.Changes.First(static change => change is { Where: "stream, PlayChat, 64 B", Key: "messages_per_s" });
        Assert.Equal(Standing.Ahead, change.Standing);
        Assert.All(comparison.Changes.Where(other => other != change), static other => Assert.Equal(Standing.Even, other.Standing));
        Assert.Contains("another machine", comparison.Heading, StringComparison.Ordinal);
        Assert.Contains("Abacus", comparison.Heading, StringComparison.Ordinal);
        Assert.Contains("+100.0 %", comparison.Format(), StringComparison.Ordinal);
    }

    private static Ratio RatioOf(Figure figure, FigureRange range, int rounds)
    {
        RunResult run = SuiteSample.Stream(rounds: 1).Runs[0];
        return new Ratio(run, run, figure, range, rounds);
    }

    private static SuiteReport Complete()
    {
        SuiteReport report = SuiteSample.Create();
        return report with
        {
            Skipped = ["Skipped: cluster over RabbitMq. There is no RabbitMQ here."],
            Verdicts = Verdict.Judge([FailCondition.Parse("p99_us>1")], report.Results),
        };
    }

    private static IEnumerable<string> Leaves(string path, JsonNode? node) => node switch
    {
        _ when path is "machine" or "experiments[].runs[].reports[]" or "experiments[].sweeps[].cases" => [path],
        JsonObject owner when path.EndsWith("[].figures", StringComparison.Ordinal) =>
            owner.SelectMany(pair => pair.Value is null ? [] : Leaves(path + ".KEY", pair.Value)),
        JsonObject owner => owner.SelectMany(pair => Leaves(path.Length == 0 ? pair.Key : $"{path}.{pair.Key}", pair.Value)),
        JsonArray list => list.SelectMany(item => Leaves(path + "[]", item)),
        _ => [path],
    };

    private static void AssertBalanced(string html)
    {
        var open = new Stack<string>();
        string body = html[html.IndexOf("<body", StringComparison.Ordinal)..html.IndexOf("</html>", StringComparison.Ordinal)];
        foreach (Match tag in Tag().Matches(body))
        {
            if (tag.Groups["close"].Length > 0)
            {
                Assert.Equal(tag.Groups["name"].Value, open.Pop());
            }
            else if (tag.Groups["empty"].Length == 0)
            {
                open.Push(tag.Groups["name"].Value);
            }
        }

        Assert.Empty(open);
    }

    [GeneratedRegex(@"url\([^)]*\)", RegexOptions.CultureInvariant, 1000)]
    private static partial Regex Urls();

    [GeneratedRegex(
        @"<(?<close>/?)(?<name>[a-z0-9]+)[^>]*?(?<empty>/?)>",
        RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture,
        5000)]
    private static partial Regex Tag();
}
