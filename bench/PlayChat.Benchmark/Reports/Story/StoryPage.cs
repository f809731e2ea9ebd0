using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;
using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Figures;
using PlayChat.Benchmark.Reports.Suite;

namespace PlayChat.Benchmark.Reports.Story;

/// <summary>A page of prose and charts about a suite's results. The words are those of story.md.</summary>
/// <remarks>
/// A place in story.md is <c>{{name argument | argument}}</c>; <see cref="Fill"/> lists the names. A line <c>why: EXPERIMENT | SERVER |
/// reason</c> says why another server may be ahead; it is shown only in the table of those that are.
/// </remarks>
internal sealed partial class StoryPage
{
    private const string Unknown = "(not measured)";
    private const string Why = "why: ";

    private readonly StoryResults _results;
    private readonly string? _commit;
    private readonly Dictionary<string, string> _charts = new(StringComparer.Ordinal);
    private readonly List<string> _missing = [];
    private readonly Dictionary<(string Experiment, string Server), string> _reasons = [];

    private StoryPage(StoryResults results, string? commit, string template)
    {
        _results = results;
        _commit = commit;
        var prose = new StringBuilder();
        foreach (string line in template.ReplaceLineEndings("\n").TrimEnd('\n').Split('\n'))
        {
            if (line.StartsWith(Why, StringComparison.Ordinal))
            {
                string[] parts = Split(line[Why.Length..]);
                _reasons[(parts[0], parts[1])] = parts[2];
            }
            else
            {
                prose.Append(line).Append('\n');
            }
        }

        Text = Place().Replace(prose.ToString(), match => Fill(match.Groups["name"].Value, Split(match.Groups["arguments"].Value)));
    }

    /// <summary>The page in Markdown.</summary>
    public string Text { get; }

    /// <summary>The charts by their file names.</summary>
    public IReadOnlyDictionary<string, string> Charts => _charts;

    /// <summary>The figures that the page names and the results lack.</summary>
    public IReadOnlyList<string> Missing => _missing;

    /// <summary>Writes the page.</summary>
    /// <param name="results">The results.</param>
    /// <param name="commit">The version that was measured, if known.</param>
    /// <param name="template">The words; <see langword="null"/> for story.md.</param>
    public static StoryPage Create(StoryResults results, string? commit, string? template = null) =>
        new(results, commit, template ?? Own());

    private static string Own()
    {
        using var reader = new StreamReader(typeof(StoryPage).Assembly.GetManifestResourceStream("story.md")!);
        return reader.ReadToEnd();
    }

    private string Fill(string name, string[] arguments) => name switch
    {
        "date" => _results.StartedAt.ToString("yyyy-MM-dd", CultureInfo.InvariantCulture),
        "duration" => SuiteText.Duration(_results.Duration),
        "rounds" => SuiteText.Count(_results.Rounds, "round", "rounds"),
        "machine" => _results.Machine,
        "commit" => _commit ?? "not known",
        "problems" => Problems(),
        "exclusions" => Exclusions(),
        "standing" => StandingText(),
        "sweeps" => string.Join('\n', _results.Experiments.SelectMany(SweepText.Of).Select(static sentence => $"- {sentence}")),
        "figure" => Find(arguments[0], arguments[1], arguments[2], arguments[3]) is var (figure, range)
            ? ValueText(range.Median, figure)
            : Unknown,
        "times" => Times(arguments),
        "chart" => Chart(arguments),
        "behind" => Behind(),
        _ => throw new InvalidOperationException($"story.md has an unknown place '{name}'."),
    };

    // experiment | server | case | figure
    private (Figure Figure, FigureRange Range)? Find(string experiment, string server, string name, string key)
    {
        if (_results.Find(experiment) is { } result)
        {
            int index = result.Experiment.Figures.ToList().FindIndex(figure => figure.Key == key);
            CaseRow? row = CaseRow.Of(result).FirstOrDefault(row => row.Subject == server && row.Case == name);
            if (index >= 0 && row?.Figures[index] is { } range)
            {
                return (result.Experiment.Figures[index], range);
            }
        }

        _missing.Add($"{experiment}, {server}, {name}, {key}");
        return null;
    }

    // experiment | case | figure | server | other server: the median of the rounds' ratios
    private string Times(string[] arguments)
    {
        ExperimentResult? result = _results.Find(arguments[0]);
        Figure? figure = result?.Experiment.Figures.FirstOrDefault(figure => figure.Key == arguments[2]);
        RunResult? server = Run(arguments[3]);
        RunResult? other = Run(arguments[4]);
        if (figure is not null && server is not null && other is not null && server.RatioTo(other, figure) is { } ratio)
        {
            return FigureText.Number(ratio.Median);
        }

        _missing.Add(string.Join(", ", arguments));
        return Unknown;

        RunResult? Run(string subject) => result?.Runs.FirstOrDefault(run => run.Run.Subject == subject && run.Run.Case == arguments[1]);
    }

    // experiment | cases with ";" between them | figure | factor | unit | title
    private string Chart(string[] arguments)
    {
        string[] cases = arguments[1].Split(';', StringSplitOptions.TrimEntries);
        double factor = double.Parse(arguments[3], CultureInfo.InvariantCulture);
        StoryBar[] bars = _results.Find(arguments[0]) is { } result ? Bars(result, cases, arguments[2], factor).ToArray() : [];
        if (bars.Length == 0)
        {
            _missing.Add($"{arguments[0]}, {arguments[1]}, {arguments[2]}");
            return Unknown;
        }

        string file = $"{arguments[0]}.svg";
        _charts.Add(file, StoryChart.Draw(arguments[5], bars, arguments[4]));
        string values = string.Join(", ", bars.Select(bar => $"{bar.Name} {FigureText.Number(bar.Range.Median)} {arguments[4]}".TrimEnd()));
        return $"**{arguments[5]}**\n\n![{arguments[5]}: {values}]({file})";
    }

    private static IEnumerable<StoryBar> Bars(ExperimentResult result, string[] cases, string key, double factor)
    {
        int index = result.Experiment.Figures.ToList().FindIndex(figure => figure.Key == key);
        return CaseRow.Of(result)
            .Where(row => cases.Contains(row.Case, StringComparer.Ordinal) && row.Figures[index] is not null)
            .OrderBy(static row => row.Published)
            .ThenBy(row => Array.IndexOf(cases, row.Case))
            .Select(row =>
            {
                FigureRange range = row.Figures[index]!.Value;
                string difference = row.Case.Replace($", {cases[0]}", "", StringComparison.Ordinal)
                    .Replace($"{cases[0]}, ", "", StringComparison.Ordinal);
                string place = row.Case == cases[0] ? row.Subject : $"{row.Subject}, {difference}";
                return new StoryBar(
                    place,
                    new FigureRange(range.Median * factor, range.Min * factor, range.Max * factor),
                    row.Published,
                    row.Valid);
            });
    }

    private string Problems() => _results.Problems.Count == 0
        ? "In every run every message arrived, once and in order."
        : SuiteText.Count(_results.Problems.Count, "run", "runs")
            + " had problems, and their rounds do not count ([list](#runs-that-do-not-count)).";

    private string Exclusions() => _results.Problems.Count == 0
        ? "There is none."
        : string.Join('\n', _results.Problems.Select(static problem => $"- {problem}"));

    private string StandingText()
    {
        Ratio[] ratios = SuiteText.MainRatios(_results.Experiments)
            .Select(static pair => pair.Ratio)
            .Where(static ratio => ratio.Standing != Standing.NotValid)
            .ToArray();
        return string.Create(
            CultureInfo.InvariantCulture,
            $"ahead in {Count(Standing.Ahead)}, even in {Count(Standing.Even)} and behind in {Count(Standing.Behind)} of {ratios.Length}");

        int Count(Standing standing) => ratios.Count(ratio => ratio.Standing == standing);
    }

    private string Behind()
    {
        (ExperimentResult Result, Ratio Ratio)[] behind = _results.Experiments
            .SelectMany(static result => Ratio.Of(result)
                .Where(ratio => ratio.Standing == Standing.Behind && !Subjects.IsOurs(ratio.Against) && IsJudged(result, ratio.Figure))
                .Select(ratio => (result, ratio)))
            .ToArray();
        if (behind.Length == 0)
        {
            return "In this run PlayChat is behind in none of these figures.";
        }

        var table = new StringBuilder(
            "| experiment | case | figure | PlayChat | other server | why |\n| --- | --- | --- | --- | --- | --- |\n");
        foreach ((ExperimentResult result, Ratio ratio) in behind)
        {
            string name = result.Experiment.Name;
            string reason = _reasons.GetValueOrDefault((name, ratio.Against)) ?? _reasons.GetValueOrDefault((name, "*")) ?? "not analysed";
            table.Append(CultureInfo.InvariantCulture, $"| {result.Experiment.Title} | {ratio.Case} | {ratio.Figure.Title} | ");
            table.Append(CultureInfo.InvariantCulture, $"{Value(Subjects.OursBeside(ratio.Against))} | ");
            table.Append(CultureInfo.InvariantCulture, $"{ratio.Against}: {Value(ratio.Against)} | {reason} |\n");

            string Value(string subject) => Find(name, subject, ratio.Case, ratio.Figure.Key) is var (figure, range)
                ? ValueText(range.Median, figure)
                : Unknown;
        }

        return table.ToString().TrimEnd('\n');
    }

    // The experiment's main figure, and the server's CPU time.
    private static bool IsJudged(ExperimentResult result, Figure figure) => figure == result.Experiment.Figures[0] || IsCpuTime(figure);

    private static bool IsCpuTime(Figure figure) => figure.Path.StartsWith("server.cpu_us", StringComparison.Ordinal);

    // All times of the page are in milliseconds. That of one message is far below one, so the page has that of a thousand.
    private static string ValueText(double value, Figure figure) => figure.Unit switch
    {
        "µs" when IsCpuTime(figure) => $"{FigureText.Number(value)} ms for 1,000",
        "µs" => $"{FigureText.Number(value / 1e3)} ms",
        "ms" => $"{FigureText.Number(value)} ms",
        var unit => FigureText.Format(value, unit),
    };

    private static string[] Split(string arguments) => arguments.Split('|', StringSplitOptions.TrimEntries);

    [GeneratedRegex(@"\{\{(?<name>[a-z]+)(?<arguments>[^{}]*)\}\}", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 10_000)]
    private static partial Regex Place();
}
