namespace PlayChat.Benchmark.Reports;

/// <summary>A table of a report. Its first column names the rows.</summary>
internal sealed record Table(IReadOnlyList<string> Titles, IReadOnlyList<IReadOnlyList<string>> Rows)
{
    /// <summary>The table in Markdown, aligned, so that it is also for a terminal. A line end follows each row.</summary>
    public string ToMarkdown()
    {
        string[][] rows = [.. Rows.Prepend(Titles).Select(static row => row.Select(Escape).ToArray())];
        int[] widths = Titles.Select((_, column) => rows.Max(row => row[column].Length)).ToArray();
        string[] rule = Array.ConvertAll(widths, static width => new string('-', Math.Max(3, width)));
        return string.Concat(((string[][])[rows[0], rule, .. rows[1..]])
            .Select(row => $"| {string.Join(" | ", row.Select((cell, i) => cell.PadRight(rule[i].Length)))} |\n"));
    }

    private static string Escape(string cell) => cell.Replace("|", "\\|", StringComparison.Ordinal);
}

/// <summary>The sentences and tables of a report of experiments, for the page, the Markdown and the terminal.</summary>
internal static class SuiteText
{
    /// <summary>Stands before a figure of a run without a good round.</summary>
    public const string Mark = "(!)";

    /// <summary>The note that stands wherever published figures are shown.</summary>
    public const string AboutPublished =
        "Published figures were measured by others on other machines. They show the scale; do not compare them with ours. "
        + "Compare only what was measured here, side by side in the same rounds.";

    public const string AboutTerms =
        "CCU (concurrent users) is the number of connections that are open at once. In flight is how many requests of each connection wait "
        + "for their answer. RTT is the time from a request to its answer; of 100 requests, 99 were at least as fast as p99. Every "
        + "figure is the median of the rounds, with the lowest and the highest beside it where they differ.";

    public const string AboutRatios =
        "PlayChat beside each server that had the same load from the same client in the same rounds. A ratio is PlayChat's figure "
        + "divided by the other one.";

    public static string Heading(SuiteReport report) =>
        $"{report.StartedAt.UtcDateTime:yyyy-MM-dd HH:mm} UTC, {FigureText.Duration(TimeSpan.FromSeconds(report.Seconds))}, "
        + $"{FigureText.Count(report.Rounds, "round", "rounds")}, {(report.Commit is null ? "" : $"commit {report.Commit}, ")}"
        + $"on {report.Machine["processors"]} processors ({report.Machine["processor"] ?? "unknown"}), "
            + $"{(report.Machine["memory_bytes"]?.GetValue<long>() ?? 0) / 1e9:0} GB, {report.Machine["os"]}, "
            + $"{report.Machine["runtime"]}. "
        + "Server and load share it, over loopback.";

    /// <summary>A sentence that says when an experiment was measured that is shown with others.</summary>
    public static string Measured(SuiteReport report) =>
        $"Measured later than the others: {report.StartedAt.UtcDateTime:yyyy-MM-dd HH:mm} UTC, "
        + $"{FigureText.Count(report.Rounds, "round", "rounds")}{(report.Commit is null ? "" : $", commit {report.Commit}")}.";

    public static IEnumerable<string> State(SuiteReport report)
    {
        int problems = report.Problems.Count();
        int own = report.Problems.Count(static problem => Subjects.IsOurs(problem.Subject));
        yield return problems == 0
            ? "Every run was good: every message arrived, once and in order."
            : $"{FigureText.Count(problems, "problem", "problems")}, named with the experiment; {own} of PlayChat's own runs.";
        foreach (string skipped in report.Skipped)
        {
            yield return skipped;
        }

        int invalid = report.Results.Sum(static result => result.Runs.Count(static run => !run.IsValid));
        if (invalid > 0)
        {
            yield return $"{FigureText.Count(invalid, "run has", "runs have")} no good round (failed, invalid or interrupted). "
                + $"The figures of such a run are marked {Mark}, and nothing is compared with it.";
        }

        if (report.Interrupted || report.NotRun > 0)
        {
            yield return $"The suite ended early: {FigureText.Count(report.NotRun, "run", "runs")} did not start.";
        }

        Ratio[] main = report.Results.SelectMany(MainRatios).ToArray();
        int Count(Standing standing) => main.Count(ratio => ratio.Standing == standing);
        if (main.Length > 0)
        {
            yield return $"In the experiments' main figures PlayChat is ahead in {Count(Standing.Ahead)}, even in {Count(Standing.Even)} "
                + $"and behind in {Count(Standing.Behind)} of {FigureText.Count(main.Length, "comparison", "comparisons")} with other "
                + $"servers that had the same load from the same client on this machine{Rounds(main)}.";
        }

        foreach (Verdict verdict in report.Verdicts)
        {
            yield return verdict.ToString();
        }
    }

    /// <summary>The answer of each sweep in a sentence: which value was best. A sweep with fewer than two good runs has none.</summary>
    public static IEnumerable<string> Sweeps(ExperimentResult result) =>
        result.Experiment.Sweeps.Select(sweep => SweepText(sweep, result)).OfType<string>();

    /// <summary>The figures of a case: a row for each figure, a column for each server, published ones last.</summary>
    public static Table Figures(ExperimentResult result, string name)
    {
        RunResult[] runs = result.Runs.Where(run => run.Run.Case == name).ToArray();
        IGrouping<string, PublishedFigure>[] published = result.Experiment.Published
            .Where(figure => figure.Case == name && figure.AtSeconds is null)
            .GroupBy(static figure => figure.Subject, StringComparer.Ordinal)
            .ToArray();
        string Published(IGrouping<string, PublishedFigure> server, Figure figure) =>
            server.FirstOrDefault(other => other.Key == figure.Key) is { } found
                ? FigureText.ExactInColumn(found.Value, figure.Unit)
                : "–";
        return new Table(
            [name, .. runs.Select(static run => run.Run.Subject), .. published.Select(static server => $"published: {server.Key}")],
            result.Experiment.Figures
                .Select(figure => (string[])
                    [Title(figure), .. runs.Select(run => Cell(run, figure)), .. published.Select(server => Published(server, figure))])
                .Where(static row => row.Skip(1).Any(static cell => cell != "–"))
                .ToArray());
    }

    /// <summary>Single moments of runs, ours evenly spread over the measurement and as many as were published.</summary>
    public static Table Moments(ExperimentResult result)
    {
        Experiment experiment = result.Experiment;
        IGrouping<double?, PublishedFigure>[] published = experiment.Published
            .Where(static figure => figure.AtSeconds is not null).GroupBy(static figure => figure.AtSeconds).ToArray();
        string? name = published.FirstOrDefault()?.First().Case;
        return new Table(
            ["server", .. experiment.Moments.Select(static column => column.Title)],
            [
                .. from run in result.Runs
                   where run.Run.Case == name
                   from interval in Spread(run, published.Length)
                   select (string[])[run.Run.Subject, .. experiment.Moments.Select(column =>
                       ReportFigures.Read(interval, column.Path) is { } value ? FigureText.Number(value) : "–")],
                .. published.Select(row => (string[])[$"published: {row.First().Subject}", .. experiment.Moments.Select(column =>
                    row.FirstOrDefault(figure => figure.Key == column.Key) is { } found ? FigureText.Exact(found.Value) : "–")]),
            ]);
    }

    /// <summary>The main figure and the CPU time of PlayChat beside those of every server with the same load and client.</summary>
    public static Table Ratios(IEnumerable<Ratio> ratios) => new(
        ["case", "figure", "server", "its figure", "PlayChat", "ratio", ""],
        ratios.Select(static ratio => (string[])
        [
            ratio.Ours.Run.Case,
            ratio.Figure.Title,
            ratio.Other.Run.Subject,
            Cell(ratio.Other, ratio.Figure, withUnit: true),
            Cell(ratio.Ours, ratio.Figure, withUnit: true),
            FigureText.Times(ratio.Range.Median) + Between(ratio.Range, FigureText.Times),
            Subjects.IsOurs(ratio.Other.Run.Subject) ? "other setting" : ratio.Standing switch
            {
                Standing.Ahead => "▲ ahead",
                Standing.Behind => "▼ behind",
                Standing.Even => "≈ even",
                _ => Mark,
            },
        ]).ToArray());

    /// <summary>The ratios that a report shows: of the main figure and of the server's CPU time.</summary>
    public static IEnumerable<Ratio> Judged(ExperimentResult result) => Ratio.Of(result).Where(ratio =>
        ratio.Figure == result.Experiment.Figures[0] || ratio.Figure.Path.StartsWith("server.cpu_us", StringComparison.Ordinal));

    /// <summary>Why another server is ahead, where that was analysed: from losses.csv, as a line of a list.</summary>
    public static IEnumerable<string> Losses(IReadOnlyCollection<Ratio> behind, ExperimentResult result) =>
        DataFile.Read("losses.csv")
            .Where(cells => cells[0] == result.Experiment.Name && behind.Any(ratio => ratio.Other.Run.Subject == cells[1]))
            .Select(static cells => $"{cells[0]} beside {cells[1]}: {cells[2]}");

    /// <summary>The bars of a chart, case by case; published ones last.</summary>
    public static IReadOnlyList<Bar> Bars(ExperimentResult result, Chart chart)
    {
        Figure? figure = result.Experiment.Figures.FirstOrDefault(figure => figure.Key == chart.Key);
        string[] cases = [.. chart.Cases.Length == 0 ? result.Cases : chart.Cases];
        return figure is null ? [] :
        [
            .. from name in cases
               from run in result.Runs
               where run.Run.Case == name
               let range = run.Range(figure)
               where range is not null
               select new Bar(name, run.Run.Subject, range.Value, Published: false, run.IsValid, figure.Unit),
            .. from name in cases
               from found in result.Experiment.Published
               where found.Case == name && found.Key == chart.Key && found.AtSeconds is null
               select new Bar(name, found.Subject, FigureRange.Of([found.Value])!.Value, Published: true, Valid: true, figure.Unit),
        ];
    }

    private static IEnumerable<Ratio> MainRatios(ExperimentResult result) => Ratio.Of(result).Where(ratio =>
        ratio.Figure == result.Experiment.Figures[0] && !Subjects.IsOurs(ratio.Other.Run.Subject) && ratio.Standing != Standing.NotValid);

    private static string Rounds(Ratio[] ratios) => Array.Exists(ratios, static ratio => ratio.Rounds == 1)
        ? $" (with one good round, {Ratio.NoiseOfOneRound * 100:0} % more or less count as even; use --repeat 3 for a closer answer)"
        : string.Empty;

    private static string Title(Figure figure) =>
        figure.Unit.Length == 0 || FigureText.IsTime(figure.Unit) ? figure.Title : $"{figure.Title} ({figure.Unit})";

    private static string Cell(RunResult run, Figure figure, bool withUnit = false)
    {
        return run.Range(figure) is not { } range ? "–"
            : (run.IsValid ? string.Empty : Mark + " ") + Text(range.Median) + Between(range, Text);

        string Text(double value) => withUnit ? FigureText.Format(value, figure.Unit) : FigureText.InColumn(value, figure.Unit);
    }

    private static string Between(FigureRange range, Func<double, string> format) =>
        format(range.Min) == format(range.Max) ? string.Empty : $" ({format(range.Min)}–{format(range.Max)})";

    private static IEnumerable<JsonObject> Spread(RunResult run, int count)
    {
        JsonObject[] all = (run.Counted.FirstOrDefault()?.Report?["intervals"] as JsonArray ?? [])
            .OfType<JsonObject>().Where(static interval => interval["phase"]?.ToString() == "measure").ToArray();
        int wanted = Math.Min(all.Length, count);
        return Enumerable.Range(1, wanted).Select(i => all[(all.Length * i / wanted) - 1]);
    }

    private static string? SweepText(Sweep sweep, ExperimentResult result)
    {
        Figure figure = result.Experiment.Figures.First(figure => figure.Key == sweep.Figure);
        (int Value, FigureRange Range)[] measured = (
            from pair in sweep.Cases
            from run in result.Runs
            where run.Run.Case == pair.Value && run.IsValid && run.Range(figure) is not null
            select (pair.Key, run.Range(figure)!.Value)).ToArray();
        if (measured.Length < 2)
        {
            return null;
        }

        bool more = figure.Better == Better.Higher;
        (int best, FigureRange range) = more
            ? measured.MaxBy(static entry => entry.Range.Median)
            : measured.MinBy(static entry => entry.Range.Median);
        // A value whose range reaches the best one's median may be as good.
        string[] even = measured
            .Where(entry => entry.Value != best && (more ? entry.Range.Max >= range.Median : entry.Range.Min <= range.Median))
            .Select(static entry => FigureText.Number(entry.Value))
            .ToArray();
        string others = even.Length == 0
            ? string.Empty
            : $" Within the noise {string.Join(", ", even)} {(even.Length == 1 ? "is" : "are")} as good.";
        return $"Best number of {sweep.Name}, on this machine: {FigureText.Number(best)} "
            + $"({figure.Title} {FigureText.Format(range.Median, figure.Unit)}).{others}";
    }
}
