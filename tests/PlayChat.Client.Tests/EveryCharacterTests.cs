using System.Text;
using PlayChat.Client.Interaction;
using PlayChat.Client.Text;

namespace PlayChat.Client.Tests;

/// <summary>Other users choose names and texts, so no Unicode scalar value may end the client, in any way in which it shows text.</summary>
public sealed class EveryCharacterTests
{
    private const int Columns = 80;

    private static readonly DateTimeOffset s_at = DateTimeOffset.UnixEpoch;

    [Fact]
    public void Every_character_can_be_shown_in_a_line_of_every_kind()
    {
        var format = new TerminalFormat(usesColors: true);
        foreach (string text in Texts())
        {
            foreach (LineKind kind in Enum.GetValues<LineKind>())
            {
                var line = new ScreenLine(kind, text, Speaker: text, At: s_at);
                Assert.EndsWith("\n", format.Format(line, Columns), StringComparison.Ordinal);
                Assert.NotEmpty(LineFormat.Plain(line));
            }
        }
    }

    [Fact]
    public void Every_character_can_be_shown_in_a_table_that_stays_within_the_window()
    {
        var format = new TerminalFormat(usesColors: false);
        foreach (string text in Texts())
        {
            var table = new ScreenTable(["No.", "Room"], [["1", text]]);

            string[] lines = format.Format(table, Columns).TrimEnd('\n').Split('\n');

            Assert.All(lines, line => Assert.True(TextWidth.Of(line) <= Columns, $"{TextWidth.Of(line)} columns: {line}"));
            Assert.NotEmpty(LineFormat.Plain(table).ToArray());
        }
    }

    [Fact]
    public void Every_character_can_stand_in_the_input_line()
    {
        foreach (string text in Texts())
        {
            var editor = new LineEditor(new InputPrompt(text, InitialText: text));

            Assert.NotEmpty(editor.Render(Columns));
            Assert.NotEmpty(editor.RenderDone(Columns));
        }
    }

    // All scalar values, 32 in a text, so that each is met between others and at a line's break.
    internal static IEnumerable<string> Texts()
    {
        var text = new StringBuilder();
        for (int value = 0; value <= 0x10FFFF; value++)
        {
            if (Rune.IsValid(value))
            {
                text.Append(new Rune(value));
            }

            if (value % 32 == 31 && text.Length > 0)
            {
                yield return text.ToString();
                text.Clear();
            }
        }
    }
}
