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
    private readonly IntervalTable _table = new();

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

/// <summary>
/// The table of a run: a row for each interval, what the load measured and what the server used, in the 80 columns of any terminal. The
/// report has the other figures. Not thread-safe.
/// </summary>
internal sealed class IntervalTable
{
    private const int RowsPerHeader = 10;

    private int _rows;

    /// <summary>Formats an interval, with titles above it where they are due. Lines are divided by <c>\n</c>.</summary>
    public string Format(IntervalFigures row)
    {
        string titles = _rows++ % RowsPerHeader == 0
            ? Line("phase", "s", "sent/s", "recv/s", "p50", "p99", "max", "faults", "srv cpu", "srv MB") + "\n"
            : string.Empty;
        return titles + Line(
            row.Phase.ToString().ToLowerInvariant(),
            row.AtSeconds.ToString("0", CultureInfo.InvariantCulture),
            FigureText.Short(row.SentPerSecond),
            FigureText.Short(row.ReceivedPerSecond),
            Time(row.Latency, row.Latency.P50Microseconds),
            Time(row.Latency, row.Latency.P99Microseconds),
            Time(row.Latency, row.Latency.MaxMicroseconds),
            FigureText.Short(row.Faults),
            row.Server is { } busy ? FigureText.Format(busy.Interval.CpuPercent, "%") : "-",
            row.Server is { } server ? FigureText.Short(server.Last.Process.WorkingSetBytes / 1e6) : "-");
    }

    private static string Time(LatencySummary latency, double microseconds) =>
        latency.Count == 0 ? "-" : FigureText.Format(microseconds, "µs");

    private static string Line(string phase, string seconds, params string[] cells) =>
        $"{phase,-7} {seconds,4}{string.Concat(cells.Select(static cell => $" {cell,7}"))}";
}
