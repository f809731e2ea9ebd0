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
    public void Characters_of_every_kind_can_be_shown_in_a_line_of_every_kind() => ShowInLines(Selected());

    [Fact]
    [Trait("Tier", "Full")]
    public void Every_character_can_be_shown_in_a_line_of_every_kind() => ShowInLines(All());

    [Fact]
    public void Characters_of_every_kind_can_be_shown_in_a_table() => ShowInTables(Selected());

    [Fact]
    [Trait("Tier", "Full")]
    public void Every_character_can_be_shown_in_a_table() => ShowInTables(All());

    [Fact]
    public void Characters_of_every_kind_can_stand_in_the_input_line() => ShowInInput(Selected());

    [Fact]
    [Trait("Tier", "Full")]
    public void Every_character_can_stand_in_the_input_line() => ShowInInput(All());

    /// <summary>Every scalar value, 32 in a text, so that each is met between others and at a line's break.</summary>
    internal static IEnumerable<string> All() => Texts(static _ => true);

    /// <summary>Every scalar value of the first planes and of plane 14. Of each other plane, a text in every 4,096 values: its
    /// characters are ideographs, private or not assigned, and alike within a plane.</summary>
    internal static IEnumerable<string> Selected() => Texts(static first => first < 0x2_0000 || first % 4096 == 0 || first >> 16 == 0xE);

    private static IEnumerable<string> Texts(Func<int, bool> isSelected)
    {
        var text = new StringBuilder();
        for (int first = 0; first <= 0x10FFFF; first += 32)
        {
            if (!isSelected(first))
            {
                continue;
            }

            for (int value = first; value < first + 32; value++)
            {
                if (Rune.IsValid(value))
                {
                    text.Append(new Rune(value));
                }
            }

            if (text.Length > 0)
            {
                yield return text.ToString();
                text.Clear();
            }
        }
    }

    private static void ShowInLines(IEnumerable<string> texts)
    {
        foreach (string text in texts)
        {
            foreach (LineKind kind in Enum.GetValues<LineKind>())
            {
                string line = LineFormat.Plain(new ScreenLine(kind, text, Speaker: text, At: s_at));
                Assert.All(TextWidth.Wrap(line, Columns, Columns), row => Assert.True(TextWidth.Of(row) <= Columns));
            }
        }
    }

    private static void ShowInTables(IEnumerable<string> texts)
    {
        foreach (string text in texts)
        {
            Assert.Equal(2, LineFormat.Table([["No.", "Room"], ["1", text]]).Count());
        }
    }

    private static void ShowInInput(IEnumerable<string> texts)
    {
        foreach (string text in texts)
        {
            var editor = new LineEditor(new InputPrompt(text));
            editor.Insert(text);

            Assert.NotEmpty(editor.Render(Columns));
            Assert.NotEmpty(editor.RenderDone());
        }
    }
}
