using System.Diagnostics.CodeAnalysis;

namespace PlayChat.Client.Interaction;

/// <summary>The commands that every question understands, except one for a password, which may begin with a slash itself.</summary>
internal static class PromptCommands
{
    public const string Hint = "/quit ends the program.";

    /// <summary>What the user is told whose Ctrl+C has emptied the line.</summary>
    public const string InterruptHint = "Press Ctrl+C again to quit.";

    public static bool Ends([NotNullWhen(false)] string? line) => line is null || ChatCommand.Read(line) is { Name: "/quit" };

    /// <summary>Asks until the answer is one of some words, in any letter case.</summary>
    /// <returns>The word in upper case; null when the user ends the program, or the input has ended.</returns>
    public static async Task<string?> ChooseAsync(
        IUserInterface ui, string question, string help, IReadOnlyList<string> words, CancellationToken cancellationToken)
    {
        while (true)
        {
            string? answer = (await ui.ReadLineAsync(new InputPrompt(question), cancellationToken))?.Trim().ToUpperInvariant();
            if (Ends(answer))
            {
                return null;
            }

            if (words.Contains(answer, StringComparer.Ordinal))
            {
                return answer;
            }

            ui.Write(LineKind.Warning, help);
        }
    }
}
