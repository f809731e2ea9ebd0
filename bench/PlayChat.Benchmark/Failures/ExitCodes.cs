namespace PlayChat.Benchmark.Failures;

/// <summary>
/// The program's exit codes. 0 means that every message arrived once and in order, and that no condition of <c>--fail-if</c> is true.
/// </summary>
internal static class ExitCodes
{
    /// <summary>The run failed, lost a message, or made a condition of <c>--fail-if</c> true.</summary>
    public const int Failed = 1;

    public const int InvalidArguments = 2;

    /// <summary>The run was interrupted: 128 + SIGINT, as in a shell.</summary>
    public const int Interrupted = 130;
}

/// <summary>The run failed: the server did not start, or refused. The message is one line.</summary>
internal sealed class RunFailedException(string message) : Exception(message);

/// <summary>The arguments are invalid, or the machine does not allow the run. The message is one line that says what to do.</summary>
internal sealed class UsageException(string message) : Exception(message);
