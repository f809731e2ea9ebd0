using Spectre.Console;

namespace PlayChat.Benchmark.Cli;

/// <summary>What the output can do.</summary>
internal static class Terminal
{
    /// <summary>Whether lines that were written can be changed there: on a terminal, not in a file or a pipe.</summary>
    public static bool CanRedraw(TextWriter output) =>
        ReferenceEquals(output, Console.Out)
        && !Console.IsOutputRedirected
        && AnsiConsole.Console.Profile.Capabilities is { Interactive: true, Ansi: true };
}
