using PlayChat.Client.Text;

namespace PlayChat.Client.Interaction;

/// <summary>How lines and tables look on a terminal.</summary>
/// <remarks>
/// Every width comes from <see cref="TextWidth"/>: Spectre.Console 0.49.1 throws for characters that it has no width for, and a room's name
/// may hold any character. Chat lines break at spaces.
/// Immutable.
/// </remarks>
internal sealed class TerminalFormat(bool usesColors)
{
    // Narrower windows break lines themselves.
    private const int MinColumns = 20;

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
        string clock = line.At is { } at ? LineFormat.Time(at) : "";
        string time = clock.Length > 0 ? Paint(Dim, clock) + " " : "";
        int before = clock.Length > 0 ? clock.Length + 1 : 0;
        return line.Kind switch
        {
            LineKind.Title => Rule(text, columns, Dim),
            LineKind.Unread => Rule(text, columns, Red),
            LineKind.Hint => Paint(Dim, Wrap(text, 0, columns)) + "\n",
            LineKind.Warning => Paint(Yellow, Wrap(text, 0, columns)) + "\n",
            LineKind.Error => Paint(Red, Wrap(text, 0, columns)) + "\n",
            LineKind.Event => time + Paint(Dim, "* " + Wrap(text, before + 2, columns)) + "\n",
            LineKind.Direct => time + Paint(Bold, Wrap(text, before, columns)) + "\n",
            LineKind.Chat => Said(time, before, line, ColorOf(line.Speaker!), columns),
            LineKind.OwnChat => Said(time, before, line, Bold + Green, columns),
            _ => Wrap(text, 0, columns) + "\n",
        };
    }

    /// <summary>The table, several lines with their ends.</summary>
    public string Format(ScreenTable table, int columns) =>
        string.Concat(new TableLayout(table, columns).Lines(heading => Paint(Bold, heading)).Select(static line => line + "\n"));

    private string Said(string time, int before, ScreenLine line, string color, int columns)
    {
        string mark = line.IsMention ? LineFormat.MentionMark : ""; // a screen reader does not read bold
        string speaker = SafeText.Clean(line.Speaker!);
        string text = Wrap(SafeText.Clean(line.Text), before + TextWidth.Of(mark + speaker) + 2, columns);
        return $"{time}{mark}{Paint(color, speaker)}: {(line.IsMention ? Paint(Bold, text) : text)}\n";
    }

    private static string Wrap(string text, int before, int columns)
    {
        int width = Math.Max(columns, MinColumns);
        return string.Join('\n', TextWidth.Wrap(text, Math.Max(width - before, 0), width));
    }

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

    private string Rule(string text, int columns, string color)
    {
        string line = new string('─', Math.Max(0, columns - TextWidth.Of(text) - 4));
        return $"{Paint(color, "──")} {text}{(line.Length > 0 ? " " + Paint(color, line) : "")}\n";
    }

    private string Paint(string sequence, string text) => usesColors ? sequence + text + Reset : text;
}
