namespace PlayChat.Benchmark.Run;

/// <summary>Shows a run while it is running; this one shows nothing. Thread-safe, as all that derive from it.</summary>
internal class View
{
    public virtual void Say(string text) { }

    /// <summary>Shows the present state in one line that replaces the one before.</summary>
    public virtual void Status(string text) { }

    public virtual void Interval(IntervalFigures figures) { }
}
