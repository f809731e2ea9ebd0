using System.Diagnostics.CodeAnalysis;

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

/// <summary>The run failed: the server did not start, or refused. Any part may throw it: its line is shown, and the program ends.</summary>
internal sealed class RunFailedException(string message) : Exception(message);

/// <summary>
/// The arguments are invalid, or the machine does not allow the run. Any part may throw it: its line, which says what to do, is shown, and
/// the program ends.
/// </summary>
internal sealed class UsageException(string message) : Exception(message)
{
    public static void Unless([DoesNotReturnIf(false)] bool good, string message)
    {
        if (!good)
        {
            throw new UsageException(message);
        }
    }

    /// <summary>Checks what several options say together.</summary>
    public static void Unless(params (bool Good, string Message)[] rules) =>
        Array.ForEach(rules, static rule => Unless(rule.Good, rule.Message));
}
