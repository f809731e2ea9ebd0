using PlayChat.Client.Text;

namespace PlayChat.Client.Interaction;

/// <summary>How lines and tables look on a terminal.</summary>
/// <remarks>
/// Every width comes from <see cref="TextWidth"/>: Spectre.Console 0.49.1 throws for characters that it has no width for, and a room's name
/// may hold any character. Chat lines are not broken at the window's width: the terminal does that, and text copied from it stays one line.
/// Immutable.
/// </remarks>
internal sealed class TerminalFormat(bool usesColors)
{
    private const string Reset = "\u001b[0m";
    private const string Dim = "\u001b[2m";
    private const string Bold = "\u001b[1m";
    private const string Green = "\u001b[32m";
    private const string Yellow = "\u001b[33m";
    private const string Red = "\u001b[31m";

    // Cyan, magenta, blue and their light forms: what neither says "own" nor "warning", and is seen on dark and light alike.
    private static readonly string[] s_speakers = ["\u001b[36m", "\u001b[35m", "\u001b[34m", "\u001b[96m", "\u001b[95m", "\u001b[94m"];

    /// <summary>The line with its colours and its end.</summary>
    public string Format(ScreenLine line, int columns)
    {
        string text = SafeText.Clean(line.Text);
        string time = line.At is { } at ? Paint(Dim, LineFormat.Time(at)) + " " : "";
        return line.Kind switch
        {
            LineKind.Title => Title(text, columns),
            LineKind.Hint => Paint(Dim, text) + "\n",
            LineKind.Warning => Paint(Yellow, text) + "\n",
            LineKind.Error => Paint(Red, text) + "\n",
            LineKind.Event => time + Paint(Dim, "* " + text) + "\n",
            LineKind.Chat => $"{time}{Paint(ColorOf(line.Speaker!), SafeText.Clean(line.Speaker!))}: {text}\n",
            LineKind.OwnChat => $"{time}{Paint(Bold + Green, SafeText.Clean(line.Speaker!))}: {text}\n",
            _ => text + "\n",
        };
    }

    /// <summary>The table, several lines with their ends.</summary>
    public string Format(ScreenTable table, int columns) =>
        string.Concat(new TableLayout(table, columns).Lines(heading => Paint(Bold, heading)).Select(static line => line + "\n"));

    // The same name has the same colour in every run.
    private static string ColorOf(string speaker)
    {
        uint hash = 2166136261; // FNV-1a
        foreach (char c in speaker)
        {
            hash = (hash ^ c) * 16777619;
        }

        return s_speakers[hash % (uint)s_speakers.Length];
    }

    private string Title(string text, int columns)
    {
        string line = new string('─', Math.Max(0, columns - TextWidth.Of(text) - 4));
        return $"{Paint(Dim, "──")} {text}{(line.Length > 0 ? " " + Paint(Dim, line) : "")}\n";
    }

    private string Paint(string sequence, string text) => usesColors ? sequence + text + Reset : text;
}
