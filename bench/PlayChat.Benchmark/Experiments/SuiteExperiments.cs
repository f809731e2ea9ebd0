namespace PlayChat.Benchmark.Experiments;

/// <summary>The experiments of the suite, in its order.</summary>
internal static class SuiteExperiments
{
    /// <summary>All of them.</summary>
    /// <param name="quick">Whether small and short.</param>
    /// <param name="settings">What is common to them.</param>
    public static IReadOnlyList<Experiment> Create(bool quick, ExperimentSettings settings)
    {
        _ = quick;
        _ = settings;
        return [];
    }
}
