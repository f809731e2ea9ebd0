using PlayChat.Client.Cli;
using PlayChat.Client.FullScreen;
using PlayChat.Client.Interaction;
using PlayChat.Client.Screens;
using PlayChat.Protocol;
using PlayChat.TestUtilities;
using PlayChat.TestUtilities.Transport;

namespace PlayChat.Client.Tests;

public sealed class ChatAppTests : IAsyncLifetime
{
    private readonly FakeConsole _ui = new();
    private readonly CancellationTokenSource _stop = new();
    private SmallChatServer _server = null!;

    public async ValueTask InitializeAsync() => _server = await SmallChatServer.StartAsync();

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        await _server.DisposeAsync();
        _stop.Dispose();
    }

    [Fact]
    public async Task Two_people_meet_in_a_room_and_talk()
    {
        var ann = new FakeConsole();
        Task<int> first = Start(_ui, "민수");
        _ui.Type("1", "한국어 방 🎉");
        await _ui.SeesAsync("== Room 1: 한국어 방 🎉 ==");
        Task<int> second = Start(ann, "Ann");
        ann.Type("2", "1");

        await _ui.SeesAsync("* Ann has joined the room.");
        await ann.SeesAsync("Members: 민수, Ann");
        _ui.Type("안녕 👋");
        await ann.SeesAsync("민수: 안녕 👋");
        ann.Type("hello", "/members");
        await _ui.SeesAsync("Ann: hello");
        await ann.SeesAsync("Members (2)");
        ann.Type("/exit");
        await _ui.SeesAsync("* Ann has left the room.");
        await ann.SeesAsync("You have left room 1");
        await ann.SeesAsync("1 create a room");
        ann.Type("q");
        _ui.Type("/quit");

        Assert.Equal(ExitCode.Success, await second.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(ExitCode.Success, await first.WaitAsync(TestTimeouts.Hang));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_screen_that_fails_is_said_in_a_line_and_ends_the_client_with_exit_code_1(bool isFullScreen)
    {
        var terminal = new FakeTerminal { Columns = 100 };
        using var errors = new StringWriter();
        IUserInterface ui = isFullScreen
            ? new FullScreenUserInterface(terminal, usesColors: true, "the server")
            : new PlainUserInterface(new TerminalConsole(terminal));
        Task<int> run = ChatApp.RunAsync(Options(name: null), ui, TimeProvider.System, errors, _stop.Token);
        await terminal.HoldsAsync(static screen => screen.Rows.Any(static row => row.Contains("Your name", StringComparison.Ordinal)));

        terminal.Failure = new IOException("It is gone.");
        terminal.Type("A");

        Assert.Equal(ExitCode.Failed, await run.WaitAsync(TestTimeouts.Hang));
        Assert.StartsWith("The screen failed: It is gone. ", errors.ToString(), StringComparison.Ordinal);
        terminal.EndKeys();
    }

    [Fact]
    public async Task Without_a_name_the_client_asks_until_it_can_be_one()
    {
        Task<int> run = Start(_ui, name: null);
        await _ui.SeesAsync("? Your name");
        _ui.Type("system", "ada  lovelace");
        await _ui.SeesAsync("Invalid name: The name is reserved: the server speaks as SYSTEM.");
        await _ui.SeesAsync("Invalid name: The name has two spaces in a row.");
        _ui.Type("Ann");
        await _ui.SeesAsync("Welcome, Ann.");
        _ui.EndInput();

        Assert.Equal(ExitCode.Success, await run.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task After_a_wrong_password_the_next_question_is_for_the_password_and_never_for_the_name()
    {
        RefuseAllButTheRightPassword();
        Task<int> run = Start(_ui, "Ann");

        await _ui.SeesAsync("? Password of Ann");
        _ui.Type("wrong");
        await _ui.SeesAsync("Login refused: Incorrect name or password.");
        Assert.StartsWith("? Password of Ann", await _ui.SeesAsync("? "), StringComparison.Ordinal);
        _ui.Type("right");
        await _ui.SeesAsync("Welcome, Ann.");
        _ui.Type("4");

        Assert.Equal(ExitCode.Success, await run.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task An_account_is_created_only_after_a_yes_and_a_no_asks_for_the_name_again()
    {
        _server.Accounts = ["Ann"];
        Task<int> run = Start(_ui, "Amn");

        await _ui.SeesAsync("? There is no account Amn. Create it? [y/N]");
        _ui.Type("/join lobby", "n");
        await _ui.SeesAsync("Type y for yes, n for no.");
        await _ui.SeesAsync("? Your name [Amn]");
        _ui.Type("Bob");
        await _ui.SeesAsync("? There is no account Bob. Create it? [y/N]");
        _ui.Type("y");
        await _ui.SeesAsync("Welcome, Bob.");
        _ui.Type("4");

        Assert.Equal(ExitCode.Success, await run.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task A_name_that_is_logged_in_elsewhere_is_taken_over_only_after_a_yes()
    {
        Task<int> first = Start(_ui, "Ann");
        await _ui.SeesAsync("Welcome, Ann.");
        var second = new FakeConsole();
        Task<int> run = Start(second, "Ann");

        await second.SeesAsync("? Ann is logged in elsewhere. End that session, and log in here? [y/N]");
        second.Type("y");
        await second.SeesAsync("Welcome, Ann.");
        second.Type("4");
        _ui.Type("4");

        Assert.Equal(ExitCode.Success, await run.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(ExitCode.Success, await first.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task A_script_registers_and_takes_over_without_a_question()
    {
        _server.Accounts = [];
        var script = new FakeConsole { IsInteractive = false };
        Task<int> run = Start(script, "Bot");
        await script.SeesAsync("Welcome, Bot.");
        Task<int> second = Start(_ui, "other");
        await _ui.SeesAsync("Create it?");
        _ui.Type("/quit");
        script.EndInput();

        Assert.Equal(ExitCode.Success, await run.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(ExitCode.Success, await second.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task Enter_alone_instead_of_a_password_asks_for_another_name()
    {
        RefuseAllButTheRightPassword();
        Task<int> run = Start(_ui, "Ann");

        await _ui.SeesAsync("? Password of Ann");
        _ui.Type("");
        await _ui.SeesAsync("? Your name [Ann]");
        _ui.Type("Bob");
        await _ui.SeesAsync("? Password of Bob");
        _ui.Type("right");
        await _ui.SeesAsync("Welcome, Bob.");
        _ui.Type("4");

        Assert.Equal(ExitCode.Success, await run.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task Quit_ends_the_client_at_the_question_for_a_name()
    {
        Task<int> run = Start(_ui, name: null);

        await _ui.SeesAsync("? Your name");
        _ui.Type("/help", "/quit");

        await _ui.SeesAsync("/quit ends the program.");
        Assert.Equal(ExitCode.Success, await run.WaitAsync(TestTimeouts.Hang));
    }

    [Theory]
    [InlineData("1", "? Name of the room")]
    [InlineData("2", "? Number or name of the room")]
    public async Task Quit_ends_the_client_at_every_question_of_the_menu(string choice, string question)
    {
        Task<int> run = Start(_ui, "Ann");

        _ui.Type("/help", choice);
        await _ui.SeesAsync("/quit end ");
        await _ui.SeesAsync(question);
        _ui.Type("/help", choice);
        await _ui.SeesAsync("/quit end ");
        await _ui.SeesAsync(question);
        _ui.Type("/quit");

        Assert.Equal(ExitCode.Success, await run.WaitAsync(TestTimeouts.Hang));
    }

    [Theory]
    [InlineData("1", "? Name of the room", "/list", "There are no rooms yet")]
    [InlineData("1", "? Name of the room", " \uff0fjoin 1", "There is no room 1.")]
    [InlineData("2", "? Number or name of the room", "/create x", "== Room 1: x ==")]
    public async Task A_command_is_a_command_at_a_question_of_the_menu_too(string choice, string question, string command, string outcome)
    {
        Task<int> run = Start(_ui, "Ann");

        _ui.Type(choice);
        await _ui.SeesAsync(question);
        _ui.Type(command);
        await _ui.SeesAsync(outcome);
        _ui.Type("/quit");

        Assert.Equal(ExitCode.Success, await run.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task The_menu_lists_rooms_and_says_plainly_what_does_not_work()
    {
        _server.AddRoom("lobby");
        _server.MaxMembers = 0;
        Task<int> run = Start(_ui, "Ann");

        _ui.Type("3");
        await _ui.SeesAsync("1    lobby  0/0");
        _ui.Type("2", "99");
        await _ui.SeesAsync("There is no room 99.");
        _ui.Type("2", "1");
        await _ui.SeesAsync("The room is full.");
        _ui.Type("2", "one");
        await _ui.SeesAsync("There is no room \"one\".");
        _ui.Type("1", new string('x', 65));
        await _ui.SeesAsync("A room's name has 1 to 64 characters");
        _ui.Type("sing");
        await _ui.SeesAsync("There is no choice \"sing\"");
        _ui.Type("Q");

        Assert.Equal(ExitCode.Success, await run.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task The_menu_makes_rooms_with_a_type_and_lists_them_by_it()
    {
        _server.AddRoom("lobby");
        Task<int> run = Start(_ui, "Ann");

        _ui.Type("1", "Friday quiz --type quiz --with level=easy");
        await _ui.SeesAsync("== Room 2: Friday quiz ==");
        var other = new FakeConsole();
        Task<int> otherRun = Start(other, "Bob");
        other.Type("/rooms --type quiz --with level=easy");
        string listed = await other.SeesAsync("2    Friday quiz  quiz level=easy  1/100");
        other.Type("/rooms --type chess");
        await other.SeesAsync("There are no such rooms.");
        other.Type("Q");
        _ui.Type("/quit");

        Assert.DoesNotContain("lobby", listed, StringComparison.Ordinal);
        Assert.Equal(ExitCode.Success, await otherRun.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(ExitCode.Success, await run.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task A_room_is_joined_by_its_name_from_the_menu_and_from_another_room()
    {
        _server.AddRoom("lobby");
        _server.AddRoom("Long talks");
        _server.AddRoom("twin");
        _server.AddRoom("twin");
        Task<int> run = Start(_ui, "Ann");

        _ui.Type("/join LOBBY");
        await _ui.SeesAsync("== Room 1: lobby ==");
        _ui.Type("/join nowhere", "/join twin", "/join long talks");
        await _ui.SeesAsync("There is no room \"nowhere\".");
        await _ui.SeesAsync("2 rooms are called \"twin\": join one by its number, 3 (0 of 100 members), 4 (0 of 100 members).");
        await _ui.SeesAsync("You have left room 1");
        await _ui.SeesAsync("== Room 2: Long talks ==");
        _ui.Type("/quit");

        Assert.Equal(ExitCode.Success, await run.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task To_join_the_room_in_which_one_is_changes_nothing_and_a_refused_room_costs_nothing()
    {
        Task<int> run = Start(_ui, "Ann");
        _ui.Type("/create mine");
        await _ui.SeesAsync("== Room 1: mine ==");

        _ui.Type("/join mine");
        await _ui.SeesAsync("You are in room 1 already: mine.");
        _ui.Type("/join 99");
        await _ui.SeesAsync("There is no room 99.");
        Assert.Equal(1, _server.MembersOf(1));
        _ui.Type("still here");
        await _ui.SeesAsync("Ann: still here");
        _ui.Type("/quit");

        Assert.Equal(ExitCode.Success, await run.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task Commands_ignore_letter_case_and_the_names_that_other_chats_have_are_answered()
    {
        Task<int> run = Start(_ui, "Ann");
        _ui.Type("/Help");
        await _ui.SeesAsync("//text says /text");
        _ui.Type("/names");
        await _ui.SeesAsync("You are in no room: /join ROOM or /create NAME enters one.");
        _ui.Type("/CREATE lobby");
        await _ui.SeesAsync("== Room 1: lobby ==");

        _ui.Type("/Help", "/NAMES", "/list", "/query", "/me waves", "/me", "/clear", "/create next");
        await _ui.SeesAsync("//text says /text");
        await _ui.SeesAsync("Members (1)");
        await _ui.SeesAsync("1    lobby  1/100");
        await _ui.SeesAsync("Type /msg NAME TEXT.");
        await _ui.SeesAsync("/me waves");
        await _ui.SeesAsync("(clear)");
        await _ui.SeesAsync("You have left room 1");
        await _ui.SeesAsync("== Room 2: next ==");
        _ui.Type("/Me waves");
        await _ui.SeesAsync("Ann: *waves*");
        _ui.Type("/slow x", "/react no", "/search", "/report", "/report rude", "/resolve x");
        await _ui.SeesAsync("Type /slow SECONDS");
        await _ui.SeesAsync("Type one emoji: /react");
        await _ui.SeesAsync("/search WORDS.");
        await _ui.SeesAsync("Type what is wrong with the newest message: /report REASON.");
        await _ui.SeesAsync("There is no such message of another player here.");
        await _ui.SeesAsync("Type the number of a report: /resolve NUMBER.");
        _ui.Type("/part");
        await _ui.SeesAsync("You have left room 2");
        _ui.Type("/QUIT");

        Assert.Equal(ExitCode.Success, await run.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task A_room_that_needs_a_password_is_entered_with_the_answer_to_a_hidden_question()
    {
        _server.SetPassword(_server.AddRoom("den"), "open sesame");
        Task<int> run = Start(_ui, "Ann");
        _ui.Type("/rooms");
        await _ui.SeesAsync("1    den   0/100 password");

        _ui.Type("/join den");
        await _ui.SeesAsync("Password of room 1 (Enter alone: don't join): ");
        _ui.Type("");
        _ui.Type("/join den");
        await _ui.SeesAsync("Password of room 1 (Enter alone: don't join): ");
        _ui.Type("open sesame");
        await _ui.SeesAsync("== Room 1: den ==");
        _ui.Type("/capacity few");
        await _ui.SeesAsync("Type /capacity NUMBER");
        _ui.Type("/quit");

        Assert.Equal(ExitCode.Success, await run.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task A_message_that_names_the_user_is_marked()
    {
        long room = _server.AddRoom("lobby");
        Task<int> run = Start(_ui, "Ann");
        _ui.Type("/join lobby");
        await _ui.SeesAsync("? > ");

        _server.Say(room, "Bob", "Annette is here");
        _server.Say(room, "Bob", "hello, ann!");

        Assert.DoesNotContain("(!)", await _ui.SeesAsync("Bob: Annette"), StringComparison.Ordinal);
        Assert.Contains("(!) Bob: hello, ann!", await _ui.SeesAsync("Bob: hello"), StringComparison.Ordinal);
        _ui.Type("/quit");
        Assert.Equal(ExitCode.Success, await run.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task In_a_room_commands_are_not_said_and_what_cannot_be_said_can_be_edited()
    {
        string tooLong = new('가', 1400);
        _server.RefuseChat = static request =>
            request.Text == "busy" ? new SErrorNtf { Code = ErrorCode.ServerBusy, Message = "Try later." } : null;
        Task<int> run = Start(_ui, "Ann");
        _ui.Type("1", "lobby");
        await _ui.SeesAsync("Room 1");

        _ui.Type("/dance now");
        await _ui.SeesAsync("There is no command /dance.");
        _ui.Type("//dance");
        await _ui.SeesAsync("Ann: /dance");
        _ui.Type("/help");
        await _ui.SeesAsync("//text says /text");
        _ui.Type(tooLong);
        await _ui.SeesAsync("Not sent: the text has 4200 bytes");
        await _ui.SeesAsync("? > " + tooLong);
        _ui.Type("busy");
        await _ui.SeesAsync("Not sent: Try later. (busy)");
        _ui.Type("", "still here");
        await _ui.SeesAsync("Ann: still here");
        _ui.EndInput();

        Assert.Equal(ExitCode.Success, await run.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task After_a_lost_connection_one_can_reconnect_and_go_back_into_the_room()
    {
        long room = _server.AddRoom("lobby");
        Task<int> run = Start(_ui, "Ann", reconnect: false);
        _ui.Type("2", "1");
        await _ui.SeesAsync("Room 1");
        await _ui.SeesAsync("? > ");

        _server.CloseAll(CloseCode.ServerShutdown, "The server stops.");
        await _ui.SeesAsync("Connection lost: The server stops; press Enter or type r to reconnect, q to quit");
        _ui.Type("perhaps", "r");
        Assert.EndsWith("again.", await _ui.SeesAsync("Connected to"), StringComparison.Ordinal);
        await _ui.SeesAsync("== Room 1: lobby ==");
        _server.Say(room, "Bob", "welcome back");
        await _ui.SeesAsync("Bob: welcome back");
        _ui.Type("/quit");

        Assert.Equal(ExitCode.Success, await run.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(2, _server.Logins);
    }

    [Fact]
    public async Task The_last_messages_are_shown_at_the_entry_and_earlier_ones_on_demand()
    {
        long room = _server.AddRoom("lobby");
        for (int i = 1; i <= 45; i++)
        {
            _server.Say(room, "Bob", $"old {i}");
        }

        Task<int> run = Start(_ui, "Ann");
        _ui.Type("2", "1");
        await _ui.SeesAsync("/history earlier messages");
        await _ui.SeesAsync("Bob: old 44");
        await _ui.SeesAsync("Bob: old 45");
        _ui.Type("/history");
        await _ui.SeesAsync("== 20 earlier messages ==");
        await _ui.SeesAsync("Bob: old 24");
        await _ui.SeesAsync("Bob: old 43");
        await _ui.SeesAsync("There is more: /history goes further back.");
        _ui.Type("/history");
        await _ui.SeesAsync("Bob: old 4");
        await _ui.SeesAsync("Bob: old 23");
        _ui.Type("/history");
        await _ui.SeesAsync("== 3 earlier messages ==");
        await _ui.SeesAsync("Nothing was said before that.");
        _ui.Type("/quit");

        Assert.Equal(ExitCode.Success, await run.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task Where_nothing_comes_with_the_entry_the_history_is_read()
    {
        _server.HistoryOnJoin = 0;
        long room = _server.AddRoom("lobby");
        for (int i = 1; i <= 22; i++)
        {
            _server.Say(room, "Bob", $"old {i}");
        }

        Task<int> run = Start(_ui, "Ann");
        _ui.Type("2", "1");
        await _ui.SeesAsync("/history earlier messages");
        await _ui.SeesAsync("Bob: old 3");
        await _ui.SeesAsync("Bob: old 22");
        _ui.Type("/history");
        await _ui.SeesAsync("== 2 earlier messages ==");
        await _ui.SeesAsync("Nothing was said before that.");
        _ui.Type("/quit");

        Assert.Equal(ExitCode.Success, await run.WaitAsync(TestTimeouts.Hang));
    }

    [Theory]
    [InlineData(2, "Bob: old 1", "Bob: old 2")]
    [InlineData(4, "Bob: old 3", "Ann: hello")] // after the last message
    public async Task The_history_shows_where_messages_may_be_missing(long before, string above, string below)
    {
        _server.HistoryOnJoin = 0;
        _server.HistoryGap = new HistoryGap { AfterSequence = before - 1, BeforeSequence = before };
        long room = _server.AddRoom("lobby");
        for (int i = 1; i <= 3; i++)
        {
            _server.Say(room, "Bob", $"old {i}");
        }

        Task<int> run = Start(_ui, "Ann");
        _ui.Type("2", "1");
        await _ui.SeesAsync(above);
        await _ui.SeesAsync("(messages may be missing here: the server ended without a stop, and may not have stored the last ones)");
        _ui.Type("hello");
        await _ui.SeesAsync(below);
        _ui.Type("/quit");

        Assert.Equal(ExitCode.Success, await run.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task After_a_broken_connection_the_room_goes_on_with_what_was_missed()
    {
        _server.CanResume = true;
        long room = _server.AddRoom("lobby");
        Task<int> run = Start(_ui, "Ann");
        _ui.Type("2", "1");
        await _ui.SeesAsync("? > ");

        _server.AbortAll();
        await _ui.SeesAsync("Connection lost: the server went away; reconnecting…");
        _server.Say(room, "Bob", "one");
        _server.Say(room, "Bob", "two");
        _server.Say(room, "Bob", "three");
        await _ui.SeesAsync("Reconnected, ");
        await _ui.SeesAsync("Bob: three");
        _ui.Type("hello again");
        await _ui.SeesAsync("Ann: hello again");
        _ui.Type("/quit");

        Assert.Equal(ExitCode.Success, await run.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(1, _server.Logins);
    }

    [Fact]
    public async Task What_cannot_be_given_after_a_broken_connection_is_said_and_the_history_has_it()
    {
        _server.CanResume = true;
        _server.RemembersMissed = false;
        long room = _server.AddRoom("lobby");
        _server.Say(room, "Bob", "before");
        Task<int> run = Start(_ui, "Ann");
        _ui.Type("2", "1");
        await _ui.SeesAsync("? > ");

        _server.AbortAll();
        await _ui.SeesAsync("reconnecting…");
        _server.Say(room, "Bob", "missed");
        await _ui.SeesAsync("Reconnected, but not everything that was said while you were away can be given");
        _server.Say(room, "Bob", "live");
        await _ui.SeesAsync("Bob: live");
        _ui.Type("/history");
        await _ui.SeesAsync("earlier message");
        await _ui.SeesAsync("Nothing was said before that.");
        _ui.Type("/quit");

        Assert.Equal(ExitCode.Success, await run.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task When_the_server_restarts_the_user_is_told_and_is_back_in_the_room_without_a_question()
    {
        _server.AddRoom("lobby");
        Task<int> run = Start(_ui, "Ann");
        _ui.Type("2", "1");
        await _ui.SeesAsync("? > ");

        _server.CloseAll(CloseCode.ServerShutdown, "The server stops.", retryAfterMs: 20);
        await _ui.SeesAsync("The server restarts; back in about 1 s.");
        await _ui.SeesAsync("Reconnected, nothing was said while you were away.");
        _ui.Type("hello again");
        await _ui.SeesAsync("Ann: hello again");
        _ui.Type("/quit");

        Assert.Equal(ExitCode.Success, await run.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(2, _server.Logins);
    }

    [Fact]
    public async Task A_room_that_is_gone_after_a_reconnect_leads_to_the_menu()
    {
        Task<int> run = Start(_ui, "Ann", reconnect: false);
        _ui.Type("1", "lobby");
        await _ui.SeesAsync("? > ");
        _server.ForgetRooms();
        _server.CloseAll(CloseCode.ServerShutdown, "The server stops.");
        await _ui.SeesAsync("Connection lost");
        _ui.Type("");

        await _ui.SeesAsync("There is no room 1.");
        await _ui.SeesAsync("1 create a room");
        _ui.Type("q");

        Assert.Equal(ExitCode.Success, await run.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task A_session_that_an_operator_has_ended_does_not_come_back_by_itself()
    {
        Task<int> run = Start(_ui, "Ann");
        await _ui.SeesAsync("? Choice");

        _server.CloseAll(CloseCode.LocalClose, "An operator of the server has ended your session.");
        await _ui.SeesAsync("Session ended: An operator of the server has ended your session; press Enter");
        _ui.Type("q");

        Assert.Equal(ExitCode.Failed, await run.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(1, _server.Logins);
    }

    [Fact]
    public async Task A_takeover_is_told_and_never_fought_over()
    {
        Task<int> run = new ChatApp(Options("Ann"), new PlainUserInterface(_ui), TimeProvider.System).RunAsync(_stop.Token);
        await _ui.SeesAsync("? Choice");

        _server.CloseAll(CloseCode.TakenOver, "Ann has logged in from elsewhere.");
        await _ui.SeesAsync("Connection lost: Ann has logged in from elsewhere; press Enter");
        _ui.Type("q");

        Assert.Equal(ExitCode.Failed, await run.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task A_login_that_was_thought_about_for_too_long_connects_anew()
    {
        _server.RefuseLogin = static request =>
            request.Password == "" ? new SErrorNtf { Code = ErrorCode.PasswordRequired, Message = "A password, please." } : null;
        Task<int> run = Start(_ui, "Ann");
        await _ui.SeesAsync("? Password");

        _server.CloseAll(CloseCode.LoginTimeout, "The login took too long.");
        _ui.Type("secret");
        await _ui.SeesAsync("Welcome, Ann.");
        _ui.Type("q");

        Assert.Equal(ExitCode.Success, await run.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task Where_nobody_listens_one_is_told_and_asked()
    {
        using var nobody = new RefusingPort();
        ClientOptions options = Options("Ann") with { Nodes = [new("127.0.0.1", nobody.EndPoint.Port)] };
        Task<int> run = new ChatApp(options, new PlainUserInterface(_ui), TimeProvider.System).RunAsync(_stop.Token);

        await _ui.SeesAsync("press Enter or type r to reconnect, q to quit");
        _ui.Type("q");

        Assert.Equal(ExitCode.Failed, await run.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task Control_C_leaves_in_order()
    {
        Task<int> run = Start(_ui, "Ann");
        _ui.Type("1", "lobby");
        await _ui.SeesAsync("? > ");

        await _stop.CancelAsync();

        Assert.Equal(ExitCode.Success, await run.WaitAsync(TestTimeouts.Hang));
    }

    private void RefuseAllButTheRightPassword() => _server.RefuseLogin = static request => request.Password switch
    {
        "" => new SErrorNtf { Code = ErrorCode.PasswordRequired, Message = "This account has a password." },
        "right" => null,
        _ => new SErrorNtf { Code = ErrorCode.LoginRefused, Message = "Incorrect name or password." },
    };

    private Task<int> Start(FakeConsole ui, string? name, bool reconnect = true) =>
        new ChatApp(Options(name) with { Reconnect = reconnect }, new PlainUserInterface(ui), TimeProvider.System).RunAsync(_stop.Token);

    private ClientOptions Options(string? name) => new() { Nodes = [new("127.0.0.1", _server.Port)], Name = name };
}
