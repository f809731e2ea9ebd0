namespace PlayChat.Benchmark.Run;

/// <summary>What a run is doing.</summary>
internal enum RunPhase
{
    /// <summary>Connections are made and, where there is a login, logged in.</summary>
    Connect,

    /// <summary>Load as in the next phase; nothing of it counts.</summary>
    Warmup,

    /// <summary>What happens now is the result.</summary>
    Measure,

    /// <summary>Nothing is sent any more; what is under way may still arrive.</summary>
    Drain,
}
