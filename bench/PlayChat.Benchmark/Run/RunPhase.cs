namespace PlayChat.Benchmark.Run;

/// <summary>The phase of a run.</summary>
internal enum RunPhase
{
    /// <summary>Connections are made, and logged in where the load has a login.</summary>
    Connect,

    /// <summary>The same load as in the next phase. It is not counted.</summary>
    Warmup,

    /// <summary>The measurement.</summary>
    Measure,

    /// <summary>Nothing is sent; outstanding messages may still arrive.</summary>
    Drain,
}
