using System.Globalization;
using PlayChat.Benchmark.Run;

namespace PlayChat.Benchmark.Views;

/// <summary>Shows a run on a terminal: one line that changes (phase, bar, time left, rate and p99), and the table above it.</summary>
internal sealed class LiveView(StatusArea status) : IRunView
{
    private readonly IntervalTable _table = new(() => status.Width);

    /// <inheritdoc/>
    public void Say(string text) => status.WriteLine(text);

    /// <inheritdoc/>
    public void Connecting(int connected, int total)
    {
        // Drawing costs more than connecting, so not every connection is drawn.
        if (connected % 50 == 0 || connected == total)
        {
            string text = string.Create(CultureInfo.InvariantCulture, $"{connected} of {total}");
            status.Show(Line(RunPhase.Connect, (double)connected / total, text));
        }
    }

    /// <inheritdoc/>
    public void Tick(RunPhase phase, TimeSpan elapsed, TimeSpan length, IntervalFigures now)
    {
        double left = Math.Max(0, (length - elapsed).TotalSeconds);
        StatusLine line = Line(phase, length > TimeSpan.Zero ? elapsed / length : 1, string.Create(
            CultureInfo.InvariantCulture,
            $"{left:0} s left  {now.ReceivedPerSecond:N0}/s  p99 {now.Latency.P99Microseconds / 1000:N1} ms"));
        if (now.Faults > 0)
        {
            line.Add(string.Create(CultureInfo.InvariantCulture, $"  {now.Faults} faults"), StatusStyle.Bad);
        }

        status.Show(line);
    }

    /// <inheritdoc/>
    public void Interval(IntervalFigures figures) => Say(_table.Format(figures));

    private static StatusLine Line(RunPhase phase, double done, string text) => new StatusLine()
        .Add($"{phase.ToString().ToLowerInvariant(),-9}", StatusStyle.Bold)
        .AddBar(done, phase == RunPhase.Measure ? StatusStyle.Good : StatusStyle.Waiting)
        .Add(" " + text);
}
