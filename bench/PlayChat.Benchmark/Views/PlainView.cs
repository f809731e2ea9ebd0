using System.Globalization;
using PlayChat.Benchmark.Run;

namespace PlayChat.Benchmark.Views;

/// <summary>Shows a run as plain lines, for a file, a pipe or a terminal that cannot redraw.</summary>
internal sealed class PlainView(TextWriter output) : IRunView
{
    private readonly IntervalTable _table = new();
    private RunPhase _phase;

    public void Say(string text) => output.WriteLine(text);

    public void Connecting(int connected, int total)
    {
        if (connected == total)
        {
            output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{total} connections ready."));
        }
    }

    public void Tick(RunPhase phase, TimeSpan elapsed, TimeSpan length, IntervalFigures now)
    {
        if (phase != _phase)
        {
            _phase = phase;
            string most = phase == RunPhase.Drain ? " at most" : string.Empty;
            output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{phase}: {length.TotalSeconds:0.#} s{most}."));
        }
    }

    public void Interval(IntervalFigures figures) => output.WriteLine(_table.Format(figures));
}
