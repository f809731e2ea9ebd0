namespace PlayChat.Benchmark.Experiments;

/// <summary>The form of a chart.</summary>
internal enum ChartKind
{
    /// <summary>A figure by case, a bar for each subject, with its range.</summary>
    Cases,

    /// <summary>Several figures of one case side by side, a line for each subject.</summary>
    Percentiles,

    /// <summary>What happened during a run, over its time.</summary>
    Time,

    /// <summary>One figure over another, a point for each step of a search.</summary>
    Curve,
}
