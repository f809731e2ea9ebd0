using Spectre.Console;

namespace PlayChat.Benchmark.Run;

/// <summary>
/// Shows a run: on a terminal with a status line that changes, in a file or a pipe as plain lines. A run that another process of this
/// program has started reports its status to that process, line by line. Thread-safe.
/// </summary>
internal sealed class View(TextWriter output, StatusContext? line = null)
{
    /// <summary>The environment variable that makes a run report its progress, in lines with <see cref="ProgressPrefix"/>.</summary>
    public const string ProgressVariable = "PLAYCHAT_BENCHMARK_PROGRESS";

    /// <summary>Begins a line that replaces the one before it on a terminal.</summary>
    public const string ProgressPrefix = "progress ";

    private readonly object _gate = new(); // of the output, to which several threads write
    private readonly bool _reportsStatus = Environment.GetEnvironmentVariable(ProgressVariable) is { Length: > 0 };
    private readonly IntervalTable _table = new(line is null ? null : static () => AnsiConsole.Profile.Width);

    public static Task<T> ShowAsync<T>(TextWriter output, Func<View, Task<T>> run) =>
        ReferenceEquals(output, Console.Out)
        && !Console.IsOutputRedirected
        && AnsiConsole.Profile.Capabilities is { Interactive: true, Ansi: true }
            ? AnsiConsole.Status().StartAsync("start", status => run(new View(output, status)))
            : run(new View(output));

    public void Say(string text)
    {
        lock (_gate)
        {
            if (line is null)
            {
                output.WriteLine(text);
                output.Flush();
            }
            else
            {
                AnsiConsole.WriteLine(text);
            }
        }
    }

    /// <summary>Shows the present state in one line that replaces the one before.</summary>
    public void Status(string text)
    {
        if (line is not null)
        {
            int columns = Math.Max(1, AnsiConsole.Profile.Width - 3); // behind the spinner; a wrapped status would leave its rows behind
            line.Status(Markup.Escape(text.Length > columns ? text[..columns] : text));
        }
        else if (_reportsStatus)
        {
            Say(ProgressPrefix + text);
        }
    }

    public void Interval(IntervalFigures figures) => Say(_table.Format(figures));
}

/// <summary>The table of a run: a row for each interval, what the load measured and what the server used. Not thread-safe.</summary>
/// <param name="width">Reads the terminal's columns; <see langword="null"/> when the output is not a terminal.</param>
internal sealed class IntervalTable(Func<int>? width = null)
{
    private const int MinWidth = 8;
    private const int RowsPerHeader = 10;

    // In a narrow terminal, the columns of the highest ranks are left out.
    private static readonly (string Title, int Rank, Func<IntervalFigures, string> Read)[] s_columns =
    [
        ("phase     s", 0, static row => $"{row.Phase.ToString().ToLowerInvariant(),-7} {Whole(row.AtSeconds),3}"),
        ("sent/s", 7, static row => Whole(row.SentPerSecond)),
        ("recv/s", 1, static row => Whole(row.ReceivedPerSecond)),
        ("avg", 9, static row => Micros(row.Latency, static latency => latency.MeanMicroseconds)),
        ("p50", 4, static row => Micros(row.Latency, static latency => latency.P50Microseconds)),
        ("p90", 8, static row => Micros(row.Latency, static latency => latency.P90Microseconds)),
        ("p99", 2, static row => Micros(row.Latency, static latency => latency.P99Microseconds)),
        ("max (µs)", 6, static row => Micros(row.Latency, static latency => latency.MaxMicroseconds)),
        ("faults", 3, static row => Whole(row.Faults)),
        ("srv cpu%", 5, static row => OfServer(row, static server => server.Interval.CpuPercent)),
        ("srv MB", 5, static row => OfServer(row, static server => server.Last.Process.WorkingSetBytes / 1e6)),
        ("deliv/io", 10, static row => OfServer(row, static server => server.Interval.DeliveriesPerSend)),
    ];

    private (string Title, int Rank, Func<IntervalFigures, string> Read)[] _columns = s_columns;
    private int _rows;

    /// <summary>Formats an interval, with titles above it where they are due. Lines are divided by <c>\n</c>.</summary>
    public string Format(IntervalFigures row)
    {
        if (_rows++ % RowsPerHeader != 0)
        {
            return Line(column => column.Read(row));
        }

        int left = width?.Invoke() ?? int.MaxValue;
        int ranks = s_columns.OrderBy(static column => column.Rank)
            .TakeWhile(column => (left -= Width(column.Title) + 1) >= 0 || column.Rank == 0)
            .Max(static column => column.Rank);
        _columns = Array.FindAll(s_columns, column => column.Rank <= ranks);
        return $"{Line(static column => column.Title)}\n{Line(column => column.Read(row))}";
    }

    private static int Width(string title) => Math.Max(MinWidth, title.Length);

    private static string OfServer(IntervalFigures row, Func<ServerFigures, double> read) =>
        row.Server is { } server ? Fraction(read(server)) : "-";

    private static string Micros(LatencySummary latency, Func<LatencySummary, double> read) =>
        latency.Count == 0 ? "-" : Fraction(read(latency));

    private static string Fraction(double value) =>
        Math.Abs(value) < 1000 ? value.ToString("0.0", CultureInfo.InvariantCulture) : Whole(value);

    private static string Whole(double value) => Math.Abs(value) < 99_999_999.5
        ? value.ToString("0", CultureInfo.InvariantCulture)
        : (value / 1e6).ToString("0.0", CultureInfo.InvariantCulture) + "M";

    private string Line(Func<(string Title, int Rank, Func<IntervalFigures, string> Read), string> cell) => string.Join(
        ' ',
        _columns.Select((column, i) => i == 0 ? cell(column).PadRight(Width(column.Title)) : cell(column).PadLeft(Width(column.Title))));
}
