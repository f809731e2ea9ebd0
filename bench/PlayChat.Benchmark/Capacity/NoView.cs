using PlayChat.Benchmark.Run;

namespace PlayChat.Benchmark.Capacity;

/// <summary>Shows nothing: a step is part of a search, which shows itself.</summary>
internal sealed class NoView : IRunView
{
    public void Say(string text)
    {
    }

    public void Connecting(int connected, int total)
    {
    }

    public void Tick(RunPhase phase, TimeSpan elapsed, TimeSpan length, IntervalFigures now)
    {
    }

    public void Interval(IntervalFigures figures)
    {
    }
}
