namespace PlayChat.Benchmark.Run;

/// <summary>Where a run shows itself while it goes on. <see cref="Connecting"/> is called by several threads, all else by one.</summary>
internal interface IRunView
{
    /// <summary>A sentence.</summary>
    void Say(string text);

    /// <summary>How far connecting is.</summary>
    void Connecting(int connected, int total);

    /// <summary>How far the present phase is, several times a second.</summary>
    /// <param name="phase">The phase.</param>
    /// <param name="elapsed">Since it began.</param>
    /// <param name="length">How long it takes; for the drain the most it may.</param>
    /// <param name="now">The figures of the last second or less, without the server's.</param>
    void Tick(RunPhase phase, TimeSpan elapsed, TimeSpan length, IntervalFigures now);

    /// <summary>A line of the table.</summary>
    void Interval(IntervalFigures figures);
}
