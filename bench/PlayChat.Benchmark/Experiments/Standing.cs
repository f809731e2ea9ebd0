namespace PlayChat.Benchmark.Experiments;

/// <summary>PlayChat compared with another server.</summary>
internal enum Standing
{
    /// <summary>Better in every round.</summary>
    Ahead,

    /// <summary>Better in one round and worse in another, or nearly the same.</summary>
    Even,

    /// <summary>Worse in every round.</summary>
    Behind,

    /// <summary>In no round were both runs good, so they are not compared.</summary>
    NotValid,
}
