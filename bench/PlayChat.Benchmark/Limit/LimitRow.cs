namespace PlayChat.Benchmark.Limit;

/// <summary>What came of one server in one scenario.</summary>
internal sealed record LimitRow(LimitScenario Scenario, ExperimentResult Result, RunResult Run)
{
    private const string None = "–";

    public static IReadOnlyList<Figure> Figures { get; } =
    [
        New("cpu", "CPU µs"), New("rate", "per second", Better.Higher), New("p50", "p50 ms"), New("p99", "p99 ms"),
        New("p999", "p99.9 ms"), New("spread", "p99/p50"), New("even", "msgs max/min"), New("server", "server cores"),
        New("load", "load cores"),
        New("peak", "peak MB"), New("stalled", "stalled closed", Better.Higher), New("others", "others, cores"),
        New("kb", "KB a connection"), New("rss", "MB in all"), New("echoed", "s until all echoed"),
        New("connected", "s until all connected"), New("ready", "ms to listening"), New("chat", "ms, chat with a new database"),
        New("gc0", "collections"), New("bytes", "B a message"), New("bytes_s", "KB/s allocated"),
    ];

    public string Server => Run.Run.Subject;

    public IReadOnlyList<LimitBar> Bars => LimitBar.Parse(Scenario.Bars, Server);

    /// <summary>What it misses: expressions, and that a run failed.</summary>
    public IReadOnlyList<string> Missed =>
    [
        .. Bars.Where(bar => !bar.IsMetBy(Value(bar.Expression), FigureOf(bar.Expression))).Select(static bar => bar.Expression),
        .. Run.Problems.Any() ? ["a run failed"] : Array.Empty<string>(),
    ];

    /// <summary><c>pass</c>, <c>FAIL:</c> with what it misses, or a dash where nothing was judged.</summary>
    public string Verdict => Missed.Count > 0 ? "FAIL: " + string.Join(", ", Missed) : Bars.Count > 0 ? "pass" : None;

    /// <summary>
    /// The value of a figure (<c>cpu</c>), or its multiple of the same figure of another server in the same round: <c>cpu/C</c>,
    /// <c>cpu/kestrel</c>; <c>cpu/tcp</c> is by the same server over TCP. <see langword="null"/> where there is none.
    /// </summary>
    public FigureRange? Value(string expression)
    {
        string? by = expression.Split('/') is [_, var name] ? name : null;
        string other = by == "tcp" ? Server + LimitScenarios.OverTcp : by ?? string.Empty;
        return by is null ? Run.Range(FigureOf(expression))
            : Result.Runs.FirstOrDefault(run => run.Run.Subject == other) is { } peer ? Run.RatioTo(peer, FigureOf(expression))?.Range
            : null;
    }

    public static Figure FigureOf(string expression) => Figures.Single(figure => figure.Key == expression.Split('/')[0]);

    /// <summary>A table of rows whose scenarios have the same columns, and what went wrong below it, as Markdown.</summary>
    public static string Table(IReadOnlyList<LimitRow> rows)
    {
        string[] columns = rows[0].Scenario.Columns.Split(' ');
        string table = new Table(
            ["scenario", "server", .. columns.Select(Title), "bars", "result"],
            rows.Select(row => (string[])[row.Scenario.Name, row.Server, .. columns.Select(row.Cell), row.BarsText, row.Verdict])
                .ToArray()).ToMarkdown();
        string problems = string.Concat(rows
            .SelectMany(static row => row.Run.Problems.Select(problem => $"{row.Scenario.Name}, {row.Server}, {problem}\n")));
        return problems.Length == 0 ? table : $"{table}\n{problems}";
    }

    private string BarsText => Bars.Count == 0 ? None : string.Join(", ", Bars.Select(static bar => $"{bar.Expression} {bar.Value}"));

    private static string Title(string column) => column.Split('/') is [_, var by]
        ? $"× {by}{(FigureOf(column).Key == "cpu" ? string.Empty : $" ({FigureOf(column).Title})")}"
        : FigureOf(column).Title;

    private string Cell(string column) => Value(column) is not { } range ? None
        : column.Contains('/', StringComparison.Ordinal)
            ? $"{range.Median:0.00} ({range.Min:0.00}–{range.Max:0.00})"
            : FigureText.Short(range.Median);

    private static Figure New(string key, string title, Better better = Better.Lower) => new(key, title, string.Empty, key, better);
}

/// <summary>What a server must meet in a scenario.</summary>
/// <param name="Expression">A figure, or its multiple: <c>cpu/C</c>.</param>
/// <param name="Value">The most that it may be; the least, where more is better.</param>
internal sealed record LimitBar(string Expression, double Value)
{
    /// <summary>The servers that have bars, in the order of a bar's figures.</summary>
    public static readonly IReadOnlyList<string> Servers = [.. LimitScenarios.OwnServers, LimitScenarios.Mapped, LimitScenarios.State];

    /// <summary>The bars of a server in <c>cpu/C 1.9 1.4 1.15; even 3 - 3</c>. A dash or nothing stands for none.</summary>
    public static IReadOnlyList<LimitBar> Parse(string bars, string server)
    {
        int place = Servers.ToList().IndexOf(server) + 1;
        return bars.Split(';', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries)
            .Select(static bar => bar.Split(' '))
            .Where(words => place > 0 && place < words.Length && words[place] != "-")
            .Select(words => new LimitBar(words[0], double.Parse(words[place], CultureInfo.InvariantCulture)))
            .ToArray();
    }

    /// <summary>Whether a figure meets it: its median, rounded to three digits; of the peak memory the highest.</summary>
    public bool IsMetBy(FigureRange? range, Figure figure)
    {
        double value = Math.Round((figure.Key == "peak" ? range?.Max : range?.Median) ?? double.NaN, 3);
        return figure.Better == Better.Higher ? value >= Value : value <= Value;
    }
}
