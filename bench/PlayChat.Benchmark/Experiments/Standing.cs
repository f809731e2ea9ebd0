namespace PlayChat.Benchmark.Experiments;

/// <summary>How PlayChat does beside another server.</summary>
internal enum Standing
{
    /// <summary>Better in every round.</summary>
    Ahead,

    /// <summary>Better in one round and worse in another, or nearly the same.</summary>
    Even,

    /// <summary>Worse in every round.</summary>
    Behind,

    /// <summary>In no round were both runs as they must be, so nothing follows.</summary>
    NotValid,
}
