namespace TriviaBot;

/// <summary>A question and what answers it.</summary>
/// <param name="Text">What is asked.</param>
/// <param name="Answers">One or more, all right; the bot tells the first when no player knew one.</param>
internal sealed record Question(string Text, IReadOnlyList<string> Answers)
{
    /// <summary>Whether a player's words contain one of the answers, whatever the case, accents and punctuation.</summary>
    public bool IsAnsweredBy(string words)
    {
        string said = $" {Words.Plain(words)} ";
        return Answers.Any(answer => said.Contains($" {Words.Plain(answer)} ", StringComparison.Ordinal));
    }
}
