namespace PlayChat.Benchmark.Experiments;

/// <summary>
/// Shows experiments while they run. Called by one thread at a time, except <see cref="Progress"/>, which any thread calls.
/// </summary>
internal interface IExperimentView
{
    /// <summary>Shows a sentence.</summary>
    void Say(string text);

    /// <summary>A run starts.</summary>
    void Begin(RunPlace place);

    /// <summary>The progress of the run.</summary>
    void Progress(RunProgress progress);

    /// <summary>A run has ended.</summary>
    /// <param name="place">The run.</param>
    /// <param name="summary">Its result in one line.</param>
    /// <param name="problem">What was wrong, if anything.</param>
    void End(RunPlace place, string summary, string? problem);
}
