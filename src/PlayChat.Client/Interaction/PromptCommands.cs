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
    public static bool IsJoin(string line, [NotNullWhen(true)] out string? room) => TryCut(line, "/join", out room);

    /// <summary>Whether the user writes to one player.</summary>
    /// <param name="line">What the user typed.</param>
    /// <param name="message">The player's name and the text; empty when both were left out.</param>
    public static bool IsMessage(string line, [NotNullWhen(true)] out string? message) => TryCut(line, "/msg", out message);

    /// <summary>Whether the user wants a list of rooms.</summary>
    /// <param name="line">What the user typed.</param>
    /// <param name="wanted">The type and the properties that the rooms must have.</param>
    public static bool IsRooms(string line, [NotNullWhen(true)] out RoomArguments? wanted)
    {
        bool isRooms = TryCut(line, "/rooms", out string? arguments);
        wanted = arguments is null ? null : RoomArguments.Parse(arguments);
        return isRooms;
    }

    private static bool TryCut(string line, string command, [NotNullWhen(true)] out string? arguments)
    {
        line = line.Trim();
        bool isCommand = line.StartsWith(command, StringComparison.OrdinalIgnoreCase)
            && (line.Length == command.Length || line[command.Length] == ' ');
        arguments = isCommand ? line[command.Length..].Trim() : null;
        return isCommand;
    }

    private static bool Is(string line, string command) => line.AsSpan().Trim().Equals(command, StringComparison.OrdinalIgnoreCase);
}
