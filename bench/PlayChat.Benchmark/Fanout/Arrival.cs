namespace PlayChat.Benchmark.Fanout;

/// <summary>An arrival compared with those before it.</summary>
internal enum Arrival
{
    /// <summary>The next number, or a later one that leaves a hole.</summary>
    Forward,

    /// <summary>Fills a hole: it arrived after a later number.</summary>
    Late,

    /// <summary>Has arrived before.</summary>
    Duplicate,

    /// <summary>Names a predecessor that was not the newest number.</summary>
    Inconsistent,
}
