namespace PlayChat.Benchmark.Chat;

/// <summary>How an arrival stands to those before it.</summary>
internal enum Arrival
{
    /// <summary>The next one, or one that leaves a hole before it.</summary>
    Forward,

    /// <summary>It fills a hole: it came after one that belongs behind it.</summary>
    Late,

    /// <summary>It has been there before.</summary>
    Duplicate,

    /// <summary>It contradicts what was said before: a predecessor that was not the newest then.</summary>
    Inconsistent,
}
