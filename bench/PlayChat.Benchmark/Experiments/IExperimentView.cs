namespace PlayChat.Benchmark.Experiments;

/// <summary>Where experiments show themselves while they go on. Called by one thread at a time, but for <see cref="Progress"/>.</summary>
internal interface IExperimentView
{
    /// <summary>A sentence.</summary>
    void Say(string text);

    /// <summary>A run begins.</summary>
    void Begin(RunPlace place);

    /// <summary>How far it is.</summary>
    void Progress(RunProgress progress);

    /// <summary>It has ended.</summary>
    /// <param name="place">Which.</param>
    /// <param name="summary">What came of it, in one line.</param>
    /// <param name="problem">What was wrong, if anything.</param>
    void End(RunPlace place, string summary, string? problem);
}
