namespace PlayChat.Benchmark.Failures;

/// <summary>
/// The program's exit codes. 0 means that every message arrived once and in order, and that no condition of <c>--fail-if</c> is true.
/// </summary>
internal static class ExitCodes
{
    /// <summary>The run failed, lost a message, or made a condition of <c>--fail-if</c> true.</summary>
    public const int Failed = 1;

    /// <summary>Invalid arguments.</summary>
    public const int InvalidArguments = 2;

    /// <summary>The run was interrupted: 128 + SIGINT, as in a shell.</summary>
    public const int Interrupted = 130;
}
