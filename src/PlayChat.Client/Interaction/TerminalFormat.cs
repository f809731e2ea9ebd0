using System.Globalization;
using PlayChat.Client.Text;
using Spectre.Console;
using Spectre.Console.Rendering;

namespace PlayChat.Client.Interaction;

/// <summary>How lines and tables look on a terminal.</summary>
/// <remarks>
/// Chat lines are put together by hand and not by Spectre.Console, which breaks lines at the width: the terminal does that better, and what was
/// copied from it is then one line again. Immutable.
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
            LineKind.Title => Render(new Rule(Markup.Escape(text)) { Justification = Justify.Left, Style = Style.Parse("dim") }, columns),
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
    public string Format(ScreenTable table, int columns)
    {
        var drawn = new Table { Border = TableBorder.Rounded };
        foreach (string column in table.Columns)
        {
            drawn.AddColumn(new TableColumn(new Spectre.Console.Text(column, new Style(decoration: Decoration.Bold))));
        }

        foreach (IReadOnlyList<string> row in table.Rows)
        {
            // Text, unlike strings, is no markup.
            drawn.AddRow(row.Select(static cell => new Spectre.Console.Text(SafeText.Clean(cell))));
        }

        return Render(drawn, columns);
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

    private string Render(IRenderable renderable, int columns)
    {
        using var text = new StringWriter(CultureInfo.InvariantCulture) { NewLine = "\n" };
        IAnsiConsole console = AnsiConsole.Create(new AnsiConsoleSettings
        {
            Ansi = AnsiSupport.Yes,
            ColorSystem = usesColors ? ColorSystemSupport.Standard : ColorSystemSupport.NoColors,
            Interactive = InteractionSupport.No,
            Out = new AnsiConsoleOutput(text),
        });
        console.Profile.Width = columns;
        console.Profile.Capabilities.Unicode = true;
        console.Write(renderable);
        return text.ToString();
    }

    private string Paint(string sequence, string text) => usesColors ? sequence + text + Reset : text;
}
