namespace PlayChat.Benchmark.Experiments.Suite;

/// <summary>How large and how long the suite's experiments are.</summary>
internal enum SuiteSize
{
    /// <summary>Whether everything works and nothing is lost: about two minutes. Its figures are too short to compare.</summary>
    Smoke,

    /// <summary>Small sizes and short times: about twelve minutes.</summary>
    Quick,

    /// <summary>The published sizes with shorter times: about a quarter of an hour for each round.</summary>
    Standard,

    /// <summary>The published sizes and times: hours.</summary>
    Full,
}
