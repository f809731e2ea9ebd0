using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Run;

namespace PlayChat.Benchmark.Views;

/// <summary>Reports the progress of a run to the process that started it. Thread-safe.</summary>
internal sealed class ProgressView(TextWriter output) : IRunView
{
    private readonly object _gate = new(); // connections report themselves from several threads
    private readonly IntervalTable _table = new();

    public void Say(string text) => Write(text);

    public void Connecting(int connected, int total)
    {
        if (connected % 500 == 0 || connected == total)
        {
            Write(new RunProgress("connect", (double)connected / total, 0, PerSecond: null, P99Microseconds: null, Faults: 0).Format());
        }
    }

    public void Tick(RunPhase phase, TimeSpan elapsed, TimeSpan length, IntervalFigures now) => Write(new RunProgress(
        phase.ToString().ToLowerInvariant(),
        length > TimeSpan.Zero ? Math.Clamp(elapsed / length, 0, 1) : 1,
        Math.Max(0, (length - elapsed).TotalSeconds),
        now.ReceivedPerSecond,
        now.Latency.Count == 0 ? null : now.Latency.P99Microseconds,
        now.Faults).Format());

    public void Interval(IntervalFigures figures) => Write(_table.Format(figures));

    private void Write(string text)
    {
        lock (_gate)
        {
            output.WriteLine(text);
        }
    }
}
