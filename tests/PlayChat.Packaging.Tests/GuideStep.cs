using System.Text.RegularExpressions;

namespace PlayChat.Packaging.Tests;

/// <summary>A step of a document that is tried: a comment that says how, <c>&lt;!-- try: … --&gt;</c>, and the block of text below
/// it.</summary>
/// <param name="What">How it is tried.</param>
/// <param name="Text">The lines of the block; none for a step without.</param>
internal sealed partial record GuideStep(string What, IReadOnlyList<string> Text)
{
    /// <summary>The steps in their order.</summary>
    /// <exception cref="InvalidOperationException">A block has no comment above it, so nobody would notice when it stopped to be
    /// true.</exception>
    public static IReadOnlyList<GuideStep> Read(string document)
    {
        var steps = new List<GuideStep>();
        string? what = null;
        List<string>? text = null;
        foreach (string line in document.Split('\n'))
        {
            if (!line.StartsWith("```", StringComparison.Ordinal))
            {
                text?.Add(line);
                if (text is null && Comment().Match(line) is { Success: true } comment)
                {
                    what = comment.Groups["what"].Value;
                    if (what == "stop")
                    {
                        steps.Add(new GuideStep(what, []));
                    }
                }
            }
            else if (text is null)
            {
                text = [];
            }
            else
            {
                steps.Add(new GuideStep(
                    what ?? throw new InvalidOperationException($"Nothing says how to try:\n{string.Join('\n', text)}"), text));
                (what, text) = (null, null);
            }
        }

        return steps;
    }

    [GeneratedRegex("^<!-- try: (?<what>.+) -->$", RegexOptions.ExplicitCapture | RegexOptions.NonBacktracking)]
    private static partial Regex Comment();
}
