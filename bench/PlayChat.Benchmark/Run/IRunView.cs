namespace PlayChat.Benchmark.Run;

/// <summary>Shows a run while it is running. Several threads call <see cref="Connecting"/>; one thread calls all other methods.</summary>
internal interface IRunView
{
    /// <summary>Shows a sentence.</summary>
    void Say(string text);

    /// <summary>Shows how many connections are ready.</summary>
    void Connecting(int connected, int total);

    /// <summary>Shows the progress of the present phase, several times per second.</summary>
    /// <param name="phase">The phase.</param>
    /// <param name="elapsed">The time since it began.</param>
    /// <param name="length">Its length; for the drain, the timeout.</param>
    /// <param name="now">The figures since the last call, without the server's.</param>
    void Tick(RunPhase phase, TimeSpan elapsed, TimeSpan length, IntervalFigures now);

    /// <summary>Shows a row of the table.</summary>
    void Interval(IntervalFigures figures);
}
