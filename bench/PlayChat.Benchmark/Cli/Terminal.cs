using PlayChat.Benchmark.Views;
using Spectre.Console;

namespace PlayChat.Benchmark.Cli;

/// <summary>What the output can do.</summary>
internal static class Terminal
{
    /// <summary>Whether written lines can be changed: on a terminal, not in a file or a pipe.</summary>
    public static bool CanRedraw(TextWriter output) =>
        ReferenceEquals(output, Console.Out)
        && !Console.IsOutputRedirected
        && AnsiConsole.Console.Profile.Capabilities is { Interactive: true, Ansi: true };

    /// <summary>Makes the status lines of a terminal that <see cref="CanRedraw"/> accepts.</summary>
    public static StatusArea CreateStatus(TextWriter output) => new(
        output,
        static () => AnsiConsole.Console.Profile.Width,
        AnsiConsole.Console.Profile.Capabilities.ColorSystem != ColorSystem.NoColors);
}
