using PlayChat.Client.FullScreen;

namespace PlayChat.Client.Tests.FullScreen;

public sealed class ScreenDiffTests
{
    [Fact]
    public void Only_what_differs_is_written()
    {
        var shown = new ScreenBuffer(20, 3);
        shown.Put(1, 0, 20, "hello world", Paint.Normal);
        var next = new ScreenBuffer(20, 3);
        next.Put(1, 0, 20, "hello there", Paint.Normal);

        Assert.Equal("", ScreenDiff.Render(shown, shown, usesColors: true));
        Assert.Equal(
            "\u001b[?25l\u001b[2;7H\u001b[0mthere\u001b[0m\u001b[1;1H\u001b[?25h", ScreenDiff.Render(shown, next, usesColors: true));
    }

    [Fact]
    public void Behind_a_wide_character_the_cursor_is_placed_anew_because_terminals_differ()
    {
        var next = new ScreenBuffer(10, 1);
        next.Put(0, 0, 10, "a한b", Paint.Normal);

        Assert.Contains("a한\u001b[1;4Hb", ScreenDiff.Render(new ScreenBuffer(10, 1), next, usesColors: false), StringComparison.Ordinal);
    }

    [Fact]
    public void A_terminal_that_gets_every_difference_shows_every_picture()
    {
        var terminal = new Screen();
        ScreenBuffer? shown = null;
        ChatModel model = ModelScene.Create(80, 24);
        foreach ((int columns, int rows) in ((int, int)[])[(80, 24), (80, 24), (140, 40), (60, 10), (80, 24)])
        {
            model.Size = (columns, rows);
            foreach (ConsoleKeyInfo key in (ConsoleKeyInfo[])[
                Keys.Control(ConsoleKey.N), .. Keys.Type("한글 typed"), Keys.Control(ConsoleKey.P), Keys.Press(ConsoleKey.PageUp),
                Keys.Backspace])
            {
                model.Apply(new PlayChat.Client.Interaction.KeyInput(key));
                ScreenBuffer next = ChatView.Draw(model);

                terminal.Write(ScreenDiff.Render(shown, next, usesColors: true));
                shown = next;

                Assert.Equal(
                    Enumerable.Range(0, rows).Select(row => ModelScene.RowText(next, row).TrimEnd()),
                    terminal.Rows.Take(rows),
                    StringComparer.Ordinal);
                Assert.Equal(next.Cursor, (terminal.CursorRow, terminal.CursorColumn));
            }
        }
    }
}
