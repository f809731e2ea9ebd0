using System.Globalization;
using PlayChat.Benchmark.Run;
using Spectre.Console;

namespace PlayChat.Benchmark.Reports;

/// <summary>Shows a run on a terminal: a line that changes (phase, time left, rate and p99 now, a bar), the table growing above it.</summary>
internal sealed class LiveView(IAnsiConsole console, LiveDisplayContext display) : IRunView
{
    private const int BarWidth = 30;

    private readonly object _gate = new(); // connections report themselves from several threads
    private readonly IntervalTable _table = new();

    public void Say(string text)
    {
        lock (_gate)
        {
            console.WriteLine(text);
        }
    }

    public void Connecting(int connected, int total)
    {
        // Each one would be more work than connecting it.
        if (connected % 50 == 0 || connected == total)
        {
            Show(RunPhase.Connect, (double)connected / total, string.Create(CultureInfo.InvariantCulture, $"{connected} of {total}"));
        }
    }

    public void Tick(RunPhase phase, TimeSpan elapsed, TimeSpan length, IntervalFigures now)
    {
        double left = Math.Max(0, (length - elapsed).TotalSeconds);
        string text = string.Create(
            CultureInfo.InvariantCulture,
            $"{left:0} s left  {now.ReceivedPerSecond:N0}/s  p99 {now.Latency.P99Microseconds / 1000:N1} ms{(now.Faults > 0 ? $"  {now.Faults} faults" : string.Empty)}");
        Show(phase, length > TimeSpan.Zero ? elapsed / length : 1, text);
    }

    public void Interval(IntervalFigures figures) => Say(_table.Format(figures));

    private void Show(RunPhase phase, double done, string text)
    {
        int filled = (int)(Math.Clamp(done, 0, 1) * BarWidth);
        string color = phase == RunPhase.Measure ? "green" : "yellow";
        string bar = $"[{color}]{new string('━', filled)}[/][grey]{new string('─', BarWidth - filled)}[/]";
        lock (_gate)
        {
            display.UpdateTarget(new Markup($"[bold]{phase.ToString().ToLowerInvariant(),-8}[/] {bar} {Markup.Escape(text)}"));
        }
    }
}
