using PlayChat.Client.Interaction;
using PlayChat.TestUtilities;

namespace PlayChat.Client.Tests;

/// <summary>Plain lines on a terminal, with the input line below them.</summary>
public sealed class TerminalConsoleTests : IAsyncDisposable
{
    private readonly FakeTerminal _terminal = new();
    private readonly PlainUserInterface _ui;

    public TerminalConsoleTests()
    {
        _ui = new PlainUserInterface(new TerminalConsole(_terminal));
    }

    public async ValueTask DisposeAsync()
    {
        _terminal.EndKeys();
        _terminal.StandStill(false);
        await _ui.DisposeAsync();
    }

    [Fact]
    public async Task A_message_that_arrives_while_one_types_stands_above_and_the_input_stays_whole()
    {
        Task<string?> line = _ui.ReadLineAsync(InputPrompt.Chat, CancellationToken.None);
        _terminal.Type("안녕 half");
        await _terminal.ShowsAsync("> 안녕 half");

        _ui.Write(new ScreenLine(LineKind.Chat, "도착 🚀", "Ann"));
        await _terminal.ShowsRowsAsync("Ann: 도착 🚀", "> 안녕 half");

        _terminal.Type(" done");
        _terminal.Press(Keys.Enter);
        Assert.Equal("안녕 half done", await line.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task Messages_from_many_threads_lose_nothing_and_tear_nothing()
    {
        Task<string?> line = _ui.ReadLineAsync(InputPrompt.Chat, CancellationToken.None);
        Task writes = Task.WhenAll(Enumerable.Range(0, 4).Select(writer => Task.Run(() =>
        {
            for (int i = 0; i < 100; i++)
            {
                _ui.Write(new ScreenLine(LineKind.Chat, $"말 {i}", $"P{writer}"));
            }
        })));
        const string Text = "typed 🎉 meanwhile";
        _terminal.Type(Text);

        await writes.WaitAsync(TestTimeouts.Hang);
        await _terminal.HoldsAsync(static screen => screen.Rows.Count == 401 && screen.Line == "> " + Text);

        Assert.Equal(
            Enumerable.Range(0, 400).Select(static i => $"P{i / 100}: 말 {i % 100}").Order(StringComparer.Ordinal),
            _terminal.ScreenRows().Take(400).Order(StringComparer.Ordinal));
        _terminal.Press(Keys.Enter);
        Assert.Equal(Text, await line.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task An_answer_stays_on_the_screen_and_what_is_said_does_not()
    {
        Task<string?> name = _ui.ReadLineAsync(new InputPrompt("Your name: "), CancellationToken.None);
        _terminal.Type("민수");
        _terminal.Press(Keys.Enter);
        await name.WaitAsync(TestTimeouts.Hang);

        Task<string?> said = _ui.ReadLineAsync(InputPrompt.Chat, CancellationToken.None);
        _terminal.Type("hello");
        _terminal.Press(Keys.Enter);
        await said.WaitAsync(TestTimeouts.Hang);

        await _terminal.ShowsRowsAsync("Your name: 민수", "");
    }

    [Fact]
    public async Task What_is_typed_before_a_question_answers_it()
    {
        _terminal.Type("early");
        _terminal.Press(Keys.Enter);
        _terminal.Type("next");
        _terminal.Press(Keys.Enter);

        Assert.Equal("early", await _ui.ReadLineAsync(InputPrompt.Chat, CancellationToken.None).WaitAsync(TestTimeouts.Hang));
        Assert.Equal("next", await _ui.ReadLineAsync(InputPrompt.Chat, CancellationToken.None).WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task Pasted_lines_are_posted_after_one_question_and_the_line_that_was_begun_comes_back()
    {
        Task<string?> line = _ui.ReadLineAsync(InputPrompt.Chat, CancellationToken.None);
        _terminal.Type("draft");
        _terminal.Press([.. Keys.Paste(string.Join('\r', Enumerable.Range(1, 60).Select(static i => $"/line {i}")))]);
        await _terminal.ShowsAsync("Post 60 lines? [y/N]");

        _terminal.Type("y");

        for (int i = 1; i <= 60; i++)
        {
            Assert.Equal($"//line {i}", await line.WaitAsync(TestTimeouts.Hang));
            line = _ui.ReadLineAsync(InputPrompt.Chat, CancellationToken.None);
        }

        await _terminal.ShowsAsync("> draft");
        Assert.False(line.IsCompleted);
    }

    [Fact]
    public async Task Pasted_lines_are_not_posted_without_a_yes_and_too_many_of_them_never()
    {
        Task<string?> line = _ui.ReadLineAsync(InputPrompt.Chat, CancellationToken.None);
        _terminal.Press([.. Keys.Paste("a\rb\r")]);
        await _terminal.ShowsAsync("Post 2 lines? [y/N]");
        _terminal.Press(Keys.Enter);
        await _terminal.ShowsAsync(">");

        _terminal.Press([.. Keys.Paste(string.Concat(Enumerable.Repeat("x\r", InputLine.MaxPastedLines + 1)))]);
        _terminal.Press([.. Keys.Paste("one line\r")]);

        await _terminal.ShowsRowsAsync("Not posted: 91 lines were pasted, and 90 is the most at", "once.", "> one line");
        Assert.False(line.IsCompleted);
    }

    [Fact]
    public async Task Lines_that_come_all_at_once_are_one_question_too_and_what_was_typed_begins_the_first()
    {
        Task<string?> line = _ui.ReadLineAsync(InputPrompt.Chat, CancellationToken.None);
        _terminal.Type("li");
        await _terminal.ShowsAsync("> li");
        _terminal.Press([.. Keys.Type("ne 1\rline 2\r")]);
        await _terminal.ShowsAsync("Post 2 lines? [y/N]");

        _terminal.Type("y");

        Assert.Equal("line 1", await line.WaitAsync(TestTimeouts.Hang));
        Assert.Equal("line 2", await _ui.ReadLineAsync(InputPrompt.Chat, CancellationToken.None).WaitAsync(TestTimeouts.Hang));
        _ = _ui.ReadLineAsync(InputPrompt.Chat, CancellationToken.None);
        await _terminal.ShowsAsync(">");
    }

    [Fact]
    public async Task A_space_that_comes_with_Enter_is_no_second_line()
    {
        Task<string?> line = _ui.ReadLineAsync(InputPrompt.Chat, CancellationToken.None);
        _terminal.Type("hello");
        await _terminal.ShowsAsync("> hello");

        _terminal.Press([.. Keys.Type("\r ")]);

        Assert.Equal("hello", await line.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task A_line_that_comes_behind_a_draft_of_spaces_does_not_double_it()
    {
        _ = _ui.ReadLineAsync(InputPrompt.Chat, CancellationToken.None);
        _terminal.Type("  ");
        await _terminal.HoldsAsync(static screen => screen.CursorColumn == 4);

        _terminal.Press([.. Keys.Type("\r  hello")]);

        await _terminal.ShowsAsync(">   hello");
    }

    [Fact]
    public async Task Typed_lines_that_came_all_at_once_are_not_lost_by_a_no_which_only_its_keys_say()
    {
        Task<string?> line = _ui.ReadLineAsync(InputPrompt.Chat, CancellationToken.None);
        _terminal.Press([.. Keys.Type("hello\rhow are")]);
        await _terminal.ShowsAsync("Post 2 lines? [y/N]");

        _terminal.Type("x");
        _terminal.Press(Keys.Press(ConsoleKey.LeftArrow));
        _terminal.Press(Keys.Press(ConsoleKey.Escape));
        _terminal.Type(" you");

        await _terminal.ShowsAsync("> how are you");
        _terminal.Press(Keys.Press(ConsoleKey.UpArrow));
        await _terminal.ShowsAsync("> hello");
        Assert.False(line.IsCompleted);
    }

    [Fact]
    public async Task Lines_that_come_all_at_once_answer_questions_one_by_one()
    {
        _terminal.Press([.. Keys.Type("Ann\r/join 1\rhello\rhow are you\r")]);

        Assert.Equal("Ann", await _ui.ReadLineAsync(new InputPrompt("Your name: "), default).WaitAsync(TestTimeouts.Hang));
        Assert.Equal("/join 1", await _ui.ReadLineAsync(new InputPrompt("Choice: "), default).WaitAsync(TestTimeouts.Hang));
        _ = _ui.ReadLineAsync(InputPrompt.Chat, default);
        await _terminal.ShowsAsync("Post 2 lines? [y/N]");
    }

    [Fact]
    public async Task Control_C_empties_the_line_first_and_then_has_nothing_to_empty()
    {
        Task<string?> line = _ui.ReadLineAsync(InputPrompt.Chat, CancellationToken.None);
        Assert.False(_ui.TryDiscardLine());
        _terminal.Type("half a line");
        await _terminal.ShowsAsync("> half a line");

        Assert.True(_ui.TryDiscardLine());
        Assert.False(_ui.TryDiscardLine());

        await _terminal.ShowsRowsAsync("Press Ctrl+C again to quit.", ">");
        _terminal.Press(Keys.Press(ConsoleKey.UpArrow));
        await _terminal.ShowsAsync("> half a line");
        Assert.False(line.IsCompleted);
    }

    [Fact]
    public async Task A_line_that_was_entered_in_vain_can_be_changed()
    {
        _ui.PutBack("too long");

        Task<string?> line = _ui.ReadLineAsync(InputPrompt.Chat, CancellationToken.None);

        await _terminal.ShowsAsync("> too long");
        Assert.False(line.IsCompleted);
    }

    [Fact]
    public async Task Tab_completes_what_the_client_finds()
    {
        _ui.CompleteWith(static (roomId, before) => roomId == 0 && before == "an" ? ["Ann: "] : []);
        _ = _ui.ReadLineAsync(InputPrompt.Chat, CancellationToken.None);

        _terminal.Press([.. Keys.Type("an"), Keys.Press(ConsoleKey.Tab)]);

        await _terminal.HoldsAsync(static screen => screen.Line == "> Ann:" && screen.CursorColumn == 7);
    }

    [Fact]
    public async Task The_screen_is_cleared_and_the_input_line_stays()
    {
        _ = _ui.ReadLineAsync(InputPrompt.Chat, CancellationToken.None);
        _ui.Write(new ScreenLine(LineKind.Info, "old"));
        await _terminal.ShowsRowsAsync("old", ">");

        _ui.Clear();

        await _terminal.ShowsRowsAsync(">");
    }

    [Fact]
    public async Task A_line_of_chat_breaks_between_words()
    {
        _ui.Write(new ScreenLine(LineKind.Chat, "a message that is a little too long for the sixty columns here", "Ann"));

        await _terminal.ShowsRowsAsync("Ann: a message that is a little too long for the sixty", "columns here", "");
    }

    [Fact]
    public async Task A_question_that_is_taken_back_leaves_what_was_typed_to_be_read()
    {
        using var stop = new CancellationTokenSource();
        Task<string?> line = _ui.ReadLineAsync(InputPrompt.Chat, stop.Token);
        _terminal.Type("worth typing");
        await _terminal.ShowsAsync("> worth typing");

        await stop.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => line.WaitAsync(TestTimeouts.Hang));
        await _terminal.ShowsRowsAsync("(not sent) worth typing", "");
    }

    [Fact]
    public async Task Another_width_draws_the_line_anew()
    {
        Task<string?> line = _ui.ReadLineAsync(InputPrompt.Chat, CancellationToken.None);
        _terminal.Type("0123456789abcdefghij");
        await _terminal.ShowsAsync("> 0123456789abcdefghij");

        _terminal.Press(Keys.Press(ConsoleKey.Home));
        await _terminal.HoldsAsync(static screen => screen.CursorColumn == 2);
        _terminal.Resize(15);
        await _terminal.ShowsAsync("> 0123456789ab");

        _terminal.Press(Keys.Enter);
        Assert.Equal("0123456789abcdefghij", await line.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task The_end_of_the_keys_is_the_end_of_the_input()
    {
        Task<string?> line = _ui.ReadLineAsync(InputPrompt.Chat, CancellationToken.None);

        _terminal.EndKeys();

        Assert.Null(await line.WaitAsync(TestTimeouts.Hang));
        Assert.Null(await _ui.ReadLineAsync(InputPrompt.Chat, CancellationToken.None).WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task A_terminal_that_stands_still_holds_nobody_up_and_says_later_what_it_did_not_show()
    {
        _terminal.StandStill();
        _ui.Write(new ScreenLine(LineKind.Info, "first"));
        await _terminal.WriteWaits.WaitAsync(TestTimeouts.Hang); // until then the loop takes lines from the queue as fast as they come
        for (int i = 0; i < TerminalFace.MaxQueued + 7; i++)
        {
            _ui.Write(new ScreenLine(LineKind.Info, "line"));
        }

        _terminal.StandStill(false);

        await _terminal.HoldsAsync(static screen =>
            screen.Rows.Contains("(7 lines are not shown: the terminal stood still)", StringComparer.Ordinal));
    }

    [Fact]
    public async Task What_others_wrote_is_no_sequence()
    {
        _ui.Write(new ScreenLine(LineKind.Chat, "\u001b[2J[red]x[/]\r\nAnn: fake", "E\u001b[31mve"));
        _ui.Write(LineFormat.Table([["[bold]\u001b[H"]]).Single());
        _ui.Write(new ScreenLine(LineKind.Title, "[link=x]\u0007"));

        await _terminal.HoldsAsync(static screen => screen.Rows is ["E␛[31mve: ␛[2J[red]x[/]␍␊Ann: fake", ..]
            && screen.Rows.Any(static row => row.Contains("[bold]␛[H", StringComparison.Ordinal))
            && screen.Rows.Any(static row => row.Contains("[link=x]␇", StringComparison.Ordinal)));
    }
}
