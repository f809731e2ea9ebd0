using Spectre.Console;

namespace PlayChat.Benchmark.Views;

/// <summary>
/// Shows a run: on a terminal with a status line that changes, in a file or a pipe as plain lines. A run that another process of this
/// program has started reports its status to that process, line by line.
/// </summary>
internal sealed class TerminalView : View
{
    private readonly object _gate = new(); // of the output, to which several threads write
    private readonly TextWriter _output;
    private readonly StatusContext? _status;
    private readonly bool _reportsStatus = Environment.GetEnvironmentVariable(ChildRun.ProgressVariable) is { Length: > 0 };
    private readonly IntervalTable _table;

    private TerminalView(TextWriter output, StatusContext? status)
    {
        _output = output;
        _status = status;
        _table = new IntervalTable(status is null ? null : static () => AnsiConsole.Profile.Width);
    }

    /// <summary>Runs something that shows itself.</summary>
    public static Task<T> ShowAsync<T>(TextWriter output, Func<View, Task<T>> run) =>
        ReferenceEquals(output, Console.Out)
        && !Console.IsOutputRedirected
        && AnsiConsole.Profile.Capabilities is { Interactive: true, Ansi: true }
            ? AnsiConsole.Status().StartAsync("start", status => run(new TerminalView(output, status)))
            : run(new TerminalView(output, status: null));

    public override void Say(string text)
    {
        lock (_gate)
        {
            if (_status is null)
            {
                _output.WriteLine(text);
                _output.Flush();
            }
            else
            {
                AnsiConsole.WriteLine(text);
            }
        }
    }

    public override void Status(string text)
    {
        if (_status is not null)
        {
            int columns = Math.Max(1, AnsiConsole.Profile.Width - 3); // behind the spinner; a wrapped status would leave its rows behind
            _status.Status(Markup.Escape(text.Length > columns ? text[..columns] : text));
        }
        else if (_reportsStatus)
        {
            Say(ChildRun.ProgressPrefix + text);
        }
    }

    public override void Interval(IntervalFigures figures) => Say(_table.Format(figures));
}
