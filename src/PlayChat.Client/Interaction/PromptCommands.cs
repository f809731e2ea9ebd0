using System.Diagnostics.CodeAnalysis;

namespace PlayChat.Client.Interaction;

/// <summary>The commands that every question understands, except one for a password, which may begin with a slash itself.</summary>
internal static class PromptCommands
{
    /// <summary>What help texts say about them.</summary>
    public const string Hint = "/quit ends the program.";

    /// <summary>Whether the user wants to end the program, or the input has ended.</summary>
    public static bool Ends([NotNullWhen(false)] string? line) => line is null || Is(line, "/quit");

    /// <summary>Whether the user asks what to type.</summary>
    public static bool IsHelp(string line) => Is(line, "/help");

    /// <summary>Whether the user wants to join a room.</summary>
    /// <param name="line">What the user typed.</param>
    /// <param name="room">The room's number or name; empty when it was left out.</param>
    public static bool IsJoin(string line, [NotNullWhen(true)] out string? room)
    {
        const string Join = "/join";
        line = line.Trim();
        bool isJoin = line.StartsWith(Join, StringComparison.OrdinalIgnoreCase) && (line.Length == Join.Length || line[Join.Length] == ' ');
        room = isJoin ? line[Join.Length..].Trim() : null;
        return isJoin;
    }

    private static bool Is(string line, string command) => line.AsSpan().Trim().Equals(command, StringComparison.OrdinalIgnoreCase);
}
