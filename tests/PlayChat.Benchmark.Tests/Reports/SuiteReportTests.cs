using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Figures;
using PlayChat.Benchmark.Reports;
using PlayChat.Benchmark.Reports.Html;
using PlayChat.Benchmark.Reports.Suite;
using PlayChat.TestUtilities;

namespace PlayChat.Benchmark.Tests.Reports;

public sealed partial class SuiteReportTests
{
    [Fact]
    public void The_keys_of_results_json_are_those_of_the_documentation()
    {
        SuiteReport report = Complete();

        IEnumerable<string> keys = Leaves(string.Empty, JsonNode.Parse(SuiteJson.Format(report)));

        Assert.Equal(Documented().Order(StringComparer.Ordinal), keys.Distinct(StringComparer.Ordinal).Order(StringComparer.Ordinal));
    }

    [Fact]
    public void The_page_needs_no_other_file_and_no_script()
    {
        string html = HtmlReport.Format(Complete());

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

        string html = HtmlReport.Format(report);

        Assert.Contains(SuiteReport.AboutPublished, html, StringComparison.Ordinal);
        Assert.All(report.Results, result => Assert.Contains($"<section id=\"{result.Experiment.Name}\">", html, StringComparison.Ordinal));
        Assert.All(report.Results.SelectMany(static result => result.Experiment.Charts), chart => Assert.Single(
            Regex.Matches(html, $"<figcaption>{Regex.Escape(chart.Title)} ", RegexOptions.None, TimeSpan.FromSeconds(1))));
        Assert.Contains("⚠ kestrel, 64 KB, round 2: 12 incomplete", html, StringComparison.Ordinal);
        Assert.Contains("Behind, by how many times as good: stream against async-socket (64 B 0.92×", html, StringComparison.Ordinal);
        Assert.DoesNotContain("NaN", html, StringComparison.Ordinal);
        AssertBalanced(html);
    }

    [Fact]
    public void Texts_of_the_page_are_encoded()
    {
        Assert.Equal("<b title=\"&quot;&amp;\">&lt;i&gt;1.5</b>", new HtmlText($"<b title=\"{"\"&"}\">{"<i>"}{1.5}</b>").ToString());
    }

    [Fact]
    public void Markdown_and_terminal_have_figures_ratios_and_problems()
    {
        SuiteReport report = Complete();

        string markdown = SuiteMarkdown.Format(report);
        string terminal = ResultText.Format(report.Results[0]);

        Assert.Contains("| 64 B | PlayChat | 1,976,000 (1,900,000–2,052,000) |", markdown, StringComparison.Ordinal);
        Assert.Contains("| 64 B | *published: zlink* | 10,998,858 |", markdown, StringComparison.Ordinal);
        Assert.Contains("| 64 B | kestrel | + 1.36×", markdown, StringComparison.Ordinal);
        Assert.Contains("**Problem**: kestrel, 64 KB, round 2: 12 incomplete", markdown, StringComparison.Ordinal);
        Assert.Contains("## Changes", markdown, StringComparison.Ordinal);
        Assert.Contains("\nSkipped: cluster over RabbitMq. There is no RabbitMQ here.\n", markdown, StringComparison.Ordinal);
        Assert.Contains("published: CppServer", terminal, StringComparison.Ordinal);
        Assert.Contains("PlayChat ÷", terminal, StringComparison.Ordinal);
    }

    [Fact]
    public void Ahead_and_behind_follow_the_better_direction_and_the_range()
    {
        var rate = new Figure("rate", "rate", "/s", "rate", Better.Higher);
        var time = new Figure("time", "time", "µs", "time", Better.Lower);

        Assert.Equal(Standing.Ahead, new Ratio("c", "x", rate, new FigureRange(1.2, 1.1, 1.3), 3).Standing);
        Assert.Equal(Standing.Behind, new Ratio("c", "x", time, new FigureRange(1.2, 1.1, 1.3), 3).Standing);
        Assert.Equal(Standing.Ahead, new Ratio("c", "x", time, new FigureRange(0.5, 0.4, 0.6), 3).Standing);
        Assert.Equal(Standing.Even, new Ratio("c", "x", rate, new FigureRange(1.2, 0.9, 1.3), 3).Standing);
        Assert.Equal(Standing.Even, new Ratio("c", "x", rate, new FigureRange(0.98, 0.98, 0.98), 3).Standing);
        Assert.Equal(Standing.Even, new Ratio("c", "x", rate, new FigureRange(1.08, 1.08, 1.08), 1).Standing);
        Assert.Equal(Standing.Ahead, new Ratio("c", "x", rate, new FigureRange(1.12, 1.12, 1.12), 1).Standing);
        Assert.Equal(
            Standing.Behind, new Ratio("c", "x", time, new FigureRange(double.PositiveInfinity, 2, double.PositiveInfinity), 3).Standing);
        Assert.Equal(Standing.NotValid, new Ratio("c", "x", rate, new FigureRange(1.2, 1.1, 1.3), 0).Standing);
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

        string markdown = SuiteMarkdown.Format(report);
        string html = HtmlReport.Format(report);

        Assert.Contains("| 64 B | kestrel | (!) 1,4", markdown, StringComparison.Ordinal);
        Assert.Contains("| 64 B | kestrel | (!) 1.36×", markdown, StringComparison.Ordinal);
        Assert.Contains("1 problem, named with the experiment; 0 of PlayChat's own runs.", markdown, StringComparison.Ordinal);
        Assert.Contains("1 run has no good round", markdown, StringComparison.Ordinal);
        Assert.Contains("of 9 comparisons", markdown, StringComparison.Ordinal);
        Assert.Contains("(one round, so 10 % more or less count as even", markdown, StringComparison.Ordinal);
        Assert.Contains("<span class=\"value\">(!) ", html, StringComparison.Ordinal);
        Assert.Contains("<td class=\"notvalid\">(!) 1.36×", html, StringComparison.Ordinal);
        AssertBalanced(html);
    }

    [Theory]
    [InlineData("1", true)]
    [InlineData("2", true)]
    [InlineData("3", false)]
    [InlineData("null", false)]
    public void Reports_of_this_schema_and_of_the_one_before_it_are_compared(string schema, bool isRead)
    {
        JsonObject earlier = JsonNode.Parse($$"""{"schema": {{schema}}, "experiments": []}""")!.AsObject();

        Exception? refusal = Record.Exception(() => Comparison.Check(earlier, experiments: true));

        Assert.Equal(isRead, refusal is null);
        Assert.Equal(isRead ? null : "--compare cannot read a report of schema", refusal?.Message[..40]);
    }

    [Fact]
    public void A_changed_figure_is_better_or_worse_only_when_the_ranges_are_apart()
    {
        SuiteReport sample = SuiteSample.Create();
        JsonObject earlier = JsonNode.Parse(SuiteJson.Format(sample))!.AsObject();
        JsonNode figures = earlier["experiments"]![0]!["runs"]![0]!["figures"]!;
        foreach (string key in (string[])["median", "min", "max"])
        {
            figures["messages_per_s"]![key] = 988_000d;
        }

        earlier["machine"]!["processor"] = "Abacus";

        var comparison = Comparison.Of(earlier, sample.Results, sample.Machine);

        Change change = comparison.Changes.First(static change => change is { Where: "stream, PlayChat, 64 B", Key: "messages_per_s" });
        Assert.Equal(Standing.Ahead, change.Standing);
        Assert.Equal(100, change.Percent);
        Assert.All(comparison.Changes.Where(other => other != change), static other => Assert.Equal(Standing.Even, other.Standing));
        Assert.Contains("another machine", comparison.Heading, StringComparison.Ordinal);
        Assert.Contains("Abacus", comparison.Heading, StringComparison.Ordinal);
        Assert.Contains("+100.0 %", comparison.Format(), StringComparison.Ordinal);
    }

    private static SuiteReport Complete()
    {
        SuiteReport report = SuiteSample.Create();
        return report with
        {
            Plan = report.Plan with { Skipped = ["Skipped: cluster over RabbitMq. There is no RabbitMQ here."] },
            Comparison = Comparison.Of(JsonNode.Parse(SuiteJson.Format(report))!.AsObject(), report.Results, report.Machine),
            Verdicts = Verdict.Judge([FailCondition.Parse("p99_us>1")], report.Results),
        };
    }

    // "| `a`, `b[].c` | … |" of the section.
    private static IEnumerable<string> Documented()
    {
        string readme = File.ReadAllText(RepositoryFile("bench/README.md"));
        int start = readme.IndexOf("### results.json", StringComparison.Ordinal);
        string section = readme[start..readme.IndexOf("\n## ", start, StringComparison.Ordinal)];
        return section.Split('\n')
            .Where(static line => line.StartsWith("| `", StringComparison.Ordinal))
            .SelectMany(static line => Quoted().Matches(line.Split('|')[1]).Select(static match => match.Groups["key"].Value));
    }

    private static string RepositoryFile(string path)
    {
        DirectoryInfo? folder = new(AppContext.BaseDirectory);
        while (folder is not null && !File.Exists(Path.Combine(folder.FullName, "PlayChat.sln")))
        {
            folder = folder.Parent;
        }

        return Path.Combine(folder!.FullName, path);
    }

    private static IEnumerable<string> Leaves(string path, JsonNode? node) => node switch
    {
        _ when path is "machine" or "experiments[].runs[].reports[]" => [path],
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

    [GeneratedRegex(@"`(?<key>[^`]+)`", RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture, 1000)]
    private static partial Regex Quoted();

    [GeneratedRegex(@"url\([^)]*\)", RegexOptions.CultureInvariant, 1000)]
    private static partial Regex Urls();

    [GeneratedRegex(
        @"<(?<close>/?)(?<name>[a-z0-9]+)[^>]*?(?<empty>/?)>",
        RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture,
        5000)]
    private static partial Regex Tag();
}
