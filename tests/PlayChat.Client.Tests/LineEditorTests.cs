using PlayChat.Client.Interaction;
using PlayChat.Client.Text;

namespace PlayChat.Client.Tests;

public sealed class LineEditorTests
{
    private readonly Screen _screen = new();

    [Fact]
    public void What_is_typed_stands_behind_the_prompt_and_the_cursor_behind_it()
    {
        LineEditor editor = Typed("안녕 👋");

        Draw(editor);

        Assert.Equal("> 안녕 👋", _screen.Line);
        Assert.Equal(2 + 7, _screen.CursorColumn);
    }

    [Fact]
    public void The_drawing_is_one_clear_the_text_and_one_move_of_the_cursor()
    {
        LineEditor editor = Typed("ab한");
        editor.Apply(Keys.Press(ConsoleKey.LeftArrow));

        Assert.Equal("\r\u001b[J> ab한\r\u001b[4C", editor.Render(80));
    }

    [Fact]
    public void Backspace_takes_a_whole_character_however_many_units_it_has()
    {
        LineEditor editor = Typed("x한👩‍👩‍👧");

        editor.Apply(Keys.Backspace);
        Assert.Equal("x한", editor.Text);

        editor.Apply(Keys.Backspace);
        Assert.Equal("x", editor.Text);

        editor.Apply(Keys.Backspace);
        editor.Apply(Keys.Backspace); // nothing is left
        Assert.Equal("", editor.Text);
    }

    [Fact]
    public void The_arrows_step_over_whole_characters_and_typing_inserts_there()
    {
        LineEditor editor = Typed("가👋나");

        editor.Apply(Keys.Press(ConsoleKey.LeftArrow));
        editor.Apply(Keys.Press(ConsoleKey.LeftArrow));
        Type(editor, "다");
        editor.Apply(Keys.Press(ConsoleKey.RightArrow));
        Type(editor, "!");

        Assert.Equal("가다👋!나", editor.Text);
    }

    [Fact]
    public void Home_End_and_Delete_work_on_the_ends()
    {
        LineEditor editor = Typed("👋abc");

        editor.Apply(Keys.Press(ConsoleKey.Home));
        editor.Apply(Keys.Press(ConsoleKey.Delete));
        editor.Apply(Keys.Press(ConsoleKey.End));
        Type(editor, "d");

        Assert.Equal("abcd", editor.Text);
    }

    [Fact]
    public void Control_U_K_and_W_remove_up_to_an_end_or_a_word()
    {
        LineEditor editor = Typed("one two three");
        editor.Apply(Keys.Control(ConsoleKey.W));
        Assert.Equal("one two ", editor.Text);

        editor.Apply(Keys.Press(ConsoleKey.Home));
        editor.Apply(Keys.Press(ConsoleKey.RightArrow));
        editor.Apply(Keys.Control(ConsoleKey.K));
        Assert.Equal("o", editor.Text);

        editor.Apply(Keys.Control(ConsoleKey.U));
        Assert.Equal("", editor.Text);
    }

    [Fact]
    public void Control_D_ends_the_input_only_in_an_empty_line()
    {
        var input = new InputLine(static _ => [], static _ => { });
        input.Apply(new KeyInput(Keys.Type("a").Single()));
        Assert.Equal([], input.Apply(new KeyInput(Keys.Control(ConsoleKey.D))));

        input.Apply(new KeyInput(Keys.Backspace));
        Assert.Null(input.Apply(new KeyInput(Keys.Control(ConsoleKey.D))));
    }

    [Fact]
    public void Enter_submits()
    {
        var input = new InputLine(static _ => [], static _ => { });
        input.PutBack("hi");

        Assert.Equal(["hi"], input.Apply(new KeyInput(Keys.Enter)));
    }

    [Fact]
    public void Keys_that_are_no_text_do_nothing()
    {
        LineEditor editor = Typed("a");

        editor.Apply(Keys.Press(ConsoleKey.F1));
        editor.Apply(new ConsoleKeyInfo('\u001b', ConsoleKey.Escape, shift: false, alt: false, control: false));
        editor.Apply(new ConsoleKeyInfo('x', ConsoleKey.X, shift: false, alt: true, control: false));
        editor.Apply(new ConsoleKeyInfo('\ude00', ConsoleKey.None, shift: false, alt: false, control: false));

        Assert.Equal("a", editor.Text);
    }

    [Fact]
    public void AltGr_types()
    {
        LineEditor editor = Typed("");

        editor.Apply(new ConsoleKeyInfo('@', ConsoleKey.Q, shift: false, alt: true, control: true));

        Assert.Equal("@", editor.Text);
    }

    [Fact]
    public void A_line_that_is_longer_than_the_window_scrolls_with_the_cursor()
    {
        LineEditor editor = Typed("가나다라마바사아자차카타파하");

        Draw(editor, columns: 20);
        Assert.Equal("> 사아자차카타파하", _screen.Line);
        Assert.True(_screen.CursorColumn < 20);

        editor.Apply(Keys.Press(ConsoleKey.Home));
        Draw(editor, columns: 20);
        Assert.Equal("> 가나다라마바사아", _screen.Line);
        Assert.Equal(2, _screen.CursorColumn);
    }

    [Fact]
    public void At_every_cursor_position_and_width_the_line_fits_its_row()
    {
        LineEditor editor = Typed("one 둘 👩‍👩‍👧 three 넷넷넷 five 🎉🎉 여섯");
        for (int step = 0; step < 40; step++)
        {
            for (int columns = 3; columns < 50; columns++)
            {
                var screen = new Screen();
                screen.Write(editor.Render(columns));
                Assert.True(TextWidth.Of(screen.Line) < columns && screen.CursorColumn < columns);
            }

            editor.Apply(Keys.Press(ConsoleKey.LeftArrow));
        }
    }

    [Fact]
    public void Deleting_at_the_end_of_a_scrolled_line_brings_back_what_is_before()
    {
        LineEditor editor = Typed("abcdefghijklmnopqrstuvwxyz");
        Draw(editor, columns: 15);

        for (int i = 0; i < 8; i++)
        {
            editor.Apply(Keys.Backspace);
        }

        Draw(editor, columns: 15);
        Assert.Equal("> ghijklmnopqr", _screen.Line);
    }

    [Fact]
    public void A_narrower_window_that_broke_the_line_is_cleared_from_the_lines_first_row()
    {
        LineEditor editor = Typed("abcdefghijklmnopqrstuvwxyz");
        editor.Render(40);

        Assert.StartsWith("\u001b[2A\r\u001b[J", editor.Render(14), StringComparison.Ordinal);
    }

    [Fact]
    public void A_secret_is_not_shown_not_even_when_it_is_done()
    {
        var editor = new LineEditor(new InputPrompt("Password: ", IsSecret: true));
        Type(editor, "hush");

        Assert.DoesNotContain("hush", editor.Render(80) + editor.RenderDone(), StringComparison.Ordinal);
        Assert.Equal("hush", editor.Text);
    }

    [Fact]
    public void Up_and_Down_go_through_the_lines_before_and_back_to_what_was_typed()
    {
        var history = new LineHistory();
        history.Add("one");
        history.Add("two");
        history.Add("two");
        var editor = new LineEditor(InputPrompt.Chat, history);
        editor.Insert("draft");

        List<string> seen = [];
        foreach (ConsoleKey key in (ConsoleKey[])[ConsoleKey.UpArrow, ConsoleKey.UpArrow, ConsoleKey.UpArrow, ConsoleKey.DownArrow,
            ConsoleKey.DownArrow, ConsoleKey.DownArrow])
        {
            editor.Apply(Keys.Press(key));
            seen.Add(editor.Text);
        }

        Assert.Equal(["two", "one", "one", "two", "draft", "draft"], seen);
    }

    [Fact]
    public void Tab_goes_through_what_completes_the_text_before_the_cursor()
    {
        var editor = new LineEditor(InputPrompt.Chat, complete: static before => before == "an" ? ["Ann: ", "Anton: "] : []);
        editor.Insert("an!");
        ConsoleKeyInfo tab = new('\t', ConsoleKey.Tab, shift: false, alt: false, control: false);

        editor.Apply(Keys.Press(ConsoleKey.LeftArrow));
        editor.Apply(tab);
        Assert.Equal("Ann: !", editor.Text);
        editor.Apply(tab);
        Assert.Equal("Anton: !", editor.Text);
        editor.Apply(tab);
        Type(editor, "x");

        Assert.Equal("Ann: x!", editor.Text);
    }

    [Fact]
    public void A_prompt_that_leaves_no_room_for_text_gives_way()
    {
        var editor = new LineEditor(new InputPrompt("a long question: "));
        editor.Insert("yes");

        Draw(editor, columns: 20);

        Assert.Equal("yes", _screen.Line);
    }

    private static LineEditor Typed(string text)
    {
        var editor = new LineEditor(new InputPrompt("> "));
        Type(editor, text);
        return editor;
    }

    private static void Type(LineEditor editor, string text)
    {
        foreach (ConsoleKeyInfo key in Keys.Type(text))
        {
            editor.Apply(key);
        }
    }

    private void Draw(LineEditor editor, int columns = 80) => _screen.Write(editor.Render(columns));
}
