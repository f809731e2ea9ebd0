using PlayChat.Client.FullScreen;
using PlayChat.Client.Interaction;
using PlayChat.Client.Text;
using PlayChat.TestUtilities;

namespace PlayChat.Client.Tests.FullScreen;

public sealed class ChatViewTests
{
    [Theory]
    [InlineData(80, 24)]
    [InlineData(140, 40)]
    public void The_window_shows_rooms_messages_members_and_the_state_of_the_connection(int columns, int rows)
    {
        ChatModel model = ModelScene.Create(columns, rows);

        ScreenFile.RequireSame($"{columns}x{rows}", ModelScene.Rows(model));
    }

    [Theory]
    [InlineData(80, 24)]
    [InlineData(140, 40)]
    public void A_search_shows_what_it_found_among_500_messages_and_how_often(int columns, int rows)
    {
        ChatModel model = ModelScene.Create(columns, rows);
        for (int i = 0; i < 500; i++)
        {
            ModelScene.Say(model, model.Active, 7, LineKind.Chat, "bob", i % 100 == 50 ? $"needle {i}" : $"straw {i}");
        }

        model.Apply(new KeyInput(Keys.Control(ConsoleKey.F)));
        Press(model, [.. Keys.Type("NEEDLE"), Keys.Enter]);

        ScreenFile.RequireSame($"search-{columns}x{rows}", ModelScene.Rows(model));
        ScreenBuffer screen = ChatView.Draw(model);
        Assert.Equal(
            "needle",
            string.Concat(Enumerable.Range(0, rows).SelectMany(row => Enumerable.Range(0, columns)
                .Where(column => screen.PaintAt(row, column) == Paint.Match).Select(column => screen.TextAt(row, column)))));
    }

    [Fact]
    public void The_documentation_shows_the_screen_as_it_is()
    {
        string screen = string.Join('\n', ScreenFile.Read("80x24"));
        Assert.Contains(screen, Repository.Read("docs/how-to/console-client.md"), StringComparison.Ordinal);
    }

    [Fact]
    public void While_the_connection_is_made_again_the_status_bar_says_so_and_warns()
    {
        ChatModel model = ModelScene.Create(80, 24);
        model.Link = new LinkState(IsConnected: false, "the server restarts, back in about 10 s");

        ScreenBuffer screen = ChatView.Draw(model);

        Assert.StartsWith(" ada │ ○ the server restarts, back in about 10 s ", ModelScene.RowText(screen, 22), StringComparison.Ordinal);
        Assert.Equal(Paint.BarWarning, screen.PaintAt(22, 7));
    }

    [Fact]
    public void Every_size_can_be_drawn_and_every_row_has_the_width_of_the_window()
    {
        for (int columns = 1; columns <= 100; columns += 3)
        {
            for (int rows = 1; rows <= 30; rows += 4)
            {
                ChatModel model = ModelScene.Create(columns, rows);
                Press(model, Keys.Type("half a line"));

                ScreenBuffer screen = ChatView.Draw(model);

                RequireWholeCells(screen);
                Assert.InRange(screen.Cursor.Column, 0, columns - 1);
            }
        }
    }

    [Fact]
    public void Characters_of_every_kind_can_stand_in_every_part_of_the_window() => ShowInWindow(EveryCharacterTests.Selected());

    [Fact]
    [Trait("Tier", "Full")]
    public void Every_character_can_stand_in_every_part_of_the_window() => ShowInWindow(EveryCharacterTests.All());

    private static void ShowInWindow(IEnumerable<string> texts)
    {
        foreach (string text in texts)
        {
            var model = new ChatModel(text) { PlayerName = text, Link = new LinkState(IsConnected: true, text) };
            var said = new ScreenLine(LineKind.Chat, text, text, DateTimeOffset.UnixEpoch);
            model.Open(1, text, [], [said, new ScreenLine(LineKind.Event, text)]);
            model.Active.Members = [text];
            model.Apply(new KeyInput(default, text));

            ScreenBuffer screen = ChatView.Draw(model);

            RequireWholeCells(screen);
            string written = ScreenDiff.Render(shown: null, screen, usesColors: false);
            Assert.DoesNotContain(written, static c => char.IsControl(c) && c != '\u001b');
        }
    }

    // A cell holds a character of one column, or of two with an empty cell behind it.
    private static void RequireWholeCells(ScreenBuffer screen)
    {
        for (int row = 0; row < screen.Rows; row++)
        {
            for (int column = 0; column < screen.Columns; column++)
            {
                string text = screen.TextAt(row, column);
                if (text == " ")
                {
                    continue; // most cells
                }

                int width = TextWidth.Of(text);
                Assert.InRange(width, 1, 2);
                if (width == 2)
                {
                    Assert.Equal("", screen.TextAt(row, ++column));
                }
            }
        }
    }

    private static void Press(ChatModel model, IEnumerable<ConsoleKeyInfo> keys)
    {
        foreach (ConsoleKeyInfo key in keys)
        {
            model.Apply(new KeyInput(key));
        }
    }
}
