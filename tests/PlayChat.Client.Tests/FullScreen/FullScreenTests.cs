using PlayChat.Client.Cli;
using PlayChat.Client.FullScreen;
using PlayChat.Client.Interaction;
using PlayChat.Client.Screens;
using PlayChat.Protocol;
using PlayChat.TestUtilities;

namespace PlayChat.Client.Tests.FullScreen;

/// <summary>The full-screen client against a small server: keys in, rows of the window out.</summary>
public sealed class FullScreenTests : IAsyncLifetime
{
    private readonly FakeTerminal _terminal = new() { Columns = 100 };
    private readonly CancellationTokenSource _stop = new();
    private SmallChatServer _server = null!;
    private FullScreenUserInterface _ui = null!;
    private Task<int> _run = null!;

    public async ValueTask InitializeAsync()
    {
        _server = await SmallChatServer.StartAsync();
        var options = new ClientOptions { Nodes = [new("127.0.0.1", _server.Port)], Name = "Ann" };
        _ui = new FullScreenUserInterface(_terminal, usesColors: true, "the server");
        _run = new ChatApp(options, _ui, TimeProvider.System).RunAsync(_stop.Token);
        await SeesAsync("Ann │ ● connected");
    }

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        _terminal.EndKeys();
        await _ui.DisposeAsync();
        await _server.DisposeAsync();
        _stop.Dispose();
    }

    [Fact]
    public async Task Rooms_are_made_joined_by_name_talked_in_and_left()
    {
        _server.AddRoom("lobby");
        Enter("/create mine");
        await SeesAsync(" mine (2), 1 member ");
        Enter("/join LOBBY");
        await SeesAsync(" lobby (1), 1 member ");
        Enter("hello");
        await SeesAsync(" Ann: hello ");
        _server.Say(2, "Bob", "Ann, look");
        await _terminal.HoldsAsync(static screen =>
            screen.Rows.Any(static row => row.StartsWith("2 mine   ", StringComparison.Ordinal) && row[15..17] == "1│"));

        _terminal.Press(Keys.Alt(ConsoleKey.A));
        await SeesAsync("── new ──");
        await SeesAsync(" Bob: Ann, look ");
        Enter("/exit");
        await _terminal.HoldsAsync(static screen => !screen.Rows.Any(static row => row.Contains("mine", StringComparison.Ordinal)));
        Enter("/quit");

        Assert.Equal(ExitCode.Success, await _run.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task Rooms_of_one_name_have_their_numbers_in_the_list_and_the_own_room_is_not_joined_again()
    {
        _server.AddRoom("Twin");
        Enter("/create twin");
        await SeesAsync(" twin (2), 1 member ");
        Enter("/Join 2");
        await SeesAsync("You are in room 2 already: twin.");
        Enter("/join 1");
        await SeesAsync("3 Twin (1)");
        await SeesAsync("2 twin (2)");
    }

    [Fact]
    public async Task Lines_that_come_all_at_once_are_one_question_and_Control_C_drops_it()
    {
        Enter("/create mine");
        await SeesAsync(" mine (1), 1 member ");
        _terminal.Press([.. Keys.Type("one\rtwo\r")]);
        await SeesAsync("Post 2 lines? [y/N]");

        Assert.True(_ui.TryDiscardLine());
        await SeesAsync("Press Ctrl+C again to quit.");
        Assert.False(_ui.TryDiscardLine());

        _terminal.Press([.. Keys.Type("three\rfour\r")]);
        await SeesAsync("Post 2 lines? [y/N]");
        _terminal.Type("y");
        await SeesAsync(" Ann: three");
        await SeesAsync(" Ann: four");
        Assert.DoesNotContain(_terminal.ScreenRows(), static row => row.Contains("Ann: one", StringComparison.Ordinal));
        Enter("/clear");
        await _terminal.HoldsAsync(static screen => !screen.Rows.Any(static row => row.Contains("Ann: four", StringComparison.Ordinal)));
    }

    [Fact]
    public async Task A_pasted_line_with_an_indented_slash_is_said()
    {
        Enter("/create mine");
        await SeesAsync(" mine (1), 1 member ");

        _terminal.Press([.. Keys.Paste("# move\r  /exit\r/exit\r")]);
        await SeesAsync("Post 3 lines? [y/N]");
        _terminal.Type("y");

        await SeesAsync(" Ann:   /exit");
        await SeesAsync(" Ann: /exit");
    }

    [Fact]
    public async Task More_lines_that_come_all_at_once_are_no_answer_and_are_not_posted()
    {
        Enter("/create mine");
        await SeesAsync(" mine (1), 1 member ");
        _terminal.Press([.. Keys.Type("one\rtwo\r")]);
        await SeesAsync("Post 2 lines? [y/N]");

        _terminal.Press([.. Keys.Type("yes\rthree\rfour\r")]);
        Enter("end");

        await SeesAsync(" Ann: end");
        Assert.Single(_terminal.ScreenRows(), static row => row.Contains(" Ann: ", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Rooms_have_a_type_and_properties_by_which_they_are_listed()
    {
        _server.AddRoom("lobby");
        Enter("/create Friday quiz --type quiz --with level=easy --with lang=ko");
        await SeesAsync(" Friday quiz (2), 1 member ");
        Enter("/rooms");
        await SeesAsync("2    Friday quiz  quiz lang=ko level=easy  1/100");
        Enter("/exit");
        Enter("/rooms --type quiz --with level=hard");
        await SeesAsync("There are no such rooms.");
        Enter("/create bad --with level");
        await SeesAsync("\"--with level\" is no option of a room");
    }

    [Fact]
    public async Task A_direct_message_is_shown_in_the_room_that_is_seen_and_its_sender_can_be_answered_and_completed()
    {
        await using ChatClient bob = await ChatClient.ConnectAsync("127.0.0.1", _server.Port);
        await bob.LoginAsync("Bob Lee");
        var received = new TaskCompletionSource<string>(TaskCreationOptions.RunContinuationsAsynchronously);
        bob.DirectChatReceived += (_, args) => received.TrySetResult($"{args.PlayerName}: {args.Text}");
        Enter("/create mine");
        await SeesAsync(" mine (1), 1 member ");
        Enter("/msg Bob hi");
        await SeesAsync("Not sent: no player that you know has the name in \"Bob hi\".");

        await bob.SendDirectAsync(1, "psst");
        await SeesAsync(" [from Bob Lee] psst ");
        _terminal.Press([.. Keys.Type("/msg bob"), Keys.Press(ConsoleKey.Tab), .. Keys.Type("what?"), Keys.Enter]);

        await SeesAsync(" [to Bob Lee] what? ");
        Assert.Equal("Ann: what?", await received.Task.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task What_does_not_work_is_said()
    {
        Enter("hello");
        await SeesAsync("You are in no room");
        Enter("/join nowhere");
        await SeesAsync("There is no room \"nowhere\".");
        Enter("/join 99");
        await SeesAsync("There is no room 99.");
        Enter("/dance");
        await SeesAsync("There is no command /dance.");

        _terminal.Press(Keys.Control(ConsoleKey.D));

        Assert.Equal(ExitCode.Success, await _run.WaitAsync(TestTimeouts.Hang));
    }

    [Theory]
    [InlineData("/history")]
    [InlineData("/members")]
    [InlineData("/exit")]
    public async Task A_command_about_a_room_says_that_there_is_none(string command)
    {
        Enter(command);

        await SeesAsync("You are in no room: /join ROOM or /create NAME enters one.");
    }

    [Fact]
    public async Task History_says_that_nothing_was_said_before()
    {
        long room = _server.AddRoom("lobby");
        for (int i = 1; i <= 60; i++)
        {
            _server.Say(room, "Bob", $"old {i}.");
        }

        Enter("/join 1");
        await SeesAsync("Bob: old 60.");
        Enter("/history"); // a page of 50
        Enter("/history");
        await SeesAsync("Nothing was said before that.");
        Enter("/clear");
        await _terminal.HoldsAsync(static screen => !screen.Rows.Any(static row => row.Contains("Nothing", StringComparison.Ordinal)));
        Enter("/history");

        await SeesAsync("Nothing was said before that.");
    }

    [Fact]
    public async Task PageUp_reads_earlier_messages_from_the_server()
    {
        long room = _server.AddRoom("lobby");
        for (int i = 1; i <= 45; i++)
        {
            _server.Say(room, "Bob", $"old {i}.");
        }

        Enter("/join 1");
        await SeesAsync("Bob: old 45.");
        _terminal.Press(Keys.Press(ConsoleKey.PageUp)); // nothing above: reads
        await SeesAsync("Bob: old 30.");
        _terminal.Press(Keys.Press(ConsoleKey.PageUp), Keys.Press(ConsoleKey.PageUp));

        await SeesAsync("Bob: old 1.");
    }

    [Fact]
    public async Task After_a_session_that_could_not_continue_the_rooms_are_entered_anew_and_the_user_looks_at_the_same_one()
    {
        _server.HistoryOnJoin = 10;
        long room = _server.AddRoom("lobby");
        _server.AddRoom("other");
        Enter("/join lobby");
        await SeesAsync(" lobby (1), 1 member ");
        Enter("/join other");
        await SeesAsync(" other (2), 1 member ");
        Enter("/join lobby");
        await SeesAsync(" lobby (1), 1 member ");
        Enter("before");
        await SeesAsync(" Ann: before");
        Enter("/join nowhere");
        await SeesAsync("There is no room \"nowhere\".");

        _server.AbortAll();
        _server.Say(room, "Bob", "meanwhile");
        await SeesAsync("r or q:");
        Enter("r");
        await SeesAsync("Bob: meanwhile");
        Enter("after");
        await SeesAsync(" Ann: after");

        Assert.Single(_terminal.ScreenRows(), static row => row.Contains("Ann: before", StringComparison.Ordinal));
        Assert.Single(_terminal.ScreenRows(), static row => row.Contains("There is no room", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_planned_restart_is_announced_in_the_status_bar()
    {
        _server.AddRoom("lobby");
        Enter("/join lobby");
        await SeesAsync(" lobby (1), 1 member ");

        _server.CloseAll(CloseCode.ServerShutdown, "The server stops.", retryAfterMs: 20);

        await SeesAsync("The server restarts; back in about 1 s.");
        await SeesAsync("● connected");
        Enter("hello again");
        await SeesAsync(" Ann: hello again");
    }

    [Fact]
    public async Task Another_size_draws_the_whole_window_anew()
    {
        _terminal.Rows = 30;
        _terminal.Resize(140);

        await _terminal.HoldsAsync(static screen => screen.Rows.Count == 30 && screen.Rows[28].EndsWith("/help", StringComparison.Ordinal)
            && screen.Rows[28].Length == 139);
    }

    [Fact]
    public async Task The_terminal_gets_its_screen_back_and_the_last_error_is_said_there()
    {
        _server.CloseAll(CloseCode.TakenOver, "Ann has logged in from elsewhere.");
        await SeesAsync("Connection lost: Ann has logged in from elsewhere");
        await SeesAsync("r or q:");
        Assert.StartsWith("\u001b[?1049h", _terminal.Modes.Enter, StringComparison.Ordinal);
        Assert.EndsWith("\u001b[?25h\u001b[?1049l", _terminal.Modes.Leave, StringComparison.Ordinal);

        await _ui.DisposeAsync();

        // Behind the prompt, because this terminal has only one screen.
        Assert.StartsWith("> Connection lost: Ann has logged in from elsewhere", _terminal.ScreenRows()[23], StringComparison.Ordinal);
    }

    private void Enter(string line) => _terminal.Press([.. Keys.Type(line), Keys.Enter]);

    private Task SeesAsync(string text) =>
        _terminal.HoldsAsync(screen => screen.Rows.Any(row => (row + " ").Contains(text, StringComparison.Ordinal)));
}
