using System.Diagnostics.CodeAnalysis;

namespace PlayChat.Client.Interaction;

/// <summary>The commands that every question understands, except one for a password, which may begin with a slash itself.</summary>
internal static class PromptCommands
{
    /// <summary>What help texts say about them.</summary>
    public const string Hint = "/quit ends the program.";

    /// <summary>What the user is told whose Ctrl+C has emptied the line.</summary>
    public const string InterruptHint = "Press Ctrl+C again to quit.";

    /// <summary>Whether the user wants to end the program, or the input has ended.</summary>
    public static bool Ends([NotNullWhen(false)] string? line) => line is null || Is(line, "/quit");

    /// <summary>Whether the user asks what to type.</summary>
    public static bool IsHelp(string line) => Is(line, "/help");

    private static bool Is(string line, string command) => line.AsSpan().Trim().Equals(command, StringComparison.OrdinalIgnoreCase);
}
