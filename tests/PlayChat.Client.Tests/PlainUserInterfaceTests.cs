using PlayChat.Client.Cli;
using PlayChat.Client.Interaction;
using PlayChat.Client.Screens;
using PlayChat.Protocol;
using PlayChat.TestUtilities;

namespace PlayChat.Client.Tests;

public sealed class PlainUserInterfaceTests : IAsyncLifetime
{
    private readonly StringWriter _output = new() { NewLine = "\n" };
    private readonly StringWriter _errors = new() { NewLine = "\n" };
    private SmallChatServer _server = null!;

    public async ValueTask InitializeAsync() => _server = await SmallChatServer.StartAsync();

    public ValueTask DisposeAsync() => _server.DisposeAsync();

    [Fact]
    public async Task A_script_is_answered_line_by_line_and_its_end_ends_in_order()
    {
        int exitCode = await RunAsync("1\nlobby\n안녕 👋\nsecond\n", "Bot");

        Assert.Equal(ExitCode.Success, exitCode);
        Assert.Collection(
            _output.ToString().TrimEnd('\n').Split('\n'),
            static line => Assert.EndsWith("Welcome, Bot.", line, StringComparison.Ordinal),
            static line => Assert.Equal("== Room 1: lobby ==", line),
            static line => Assert.Equal("Members: Bot", line),
            static line => Assert.EndsWith("Bot: 안녕 👋", line, StringComparison.Ordinal),
            static line => Assert.EndsWith("Bot: second", line, StringComparison.Ordinal),
            static line => Assert.Equal("You have left room 1: lobby.", line));
        Assert.Equal("", _errors.ToString());
    }

    [Fact]
    public async Task Everything_of_a_long_script_is_answered_before_the_end()
    {
        string said = string.Concat(Enumerable.Range(0, 500).Select(static i => $"line {i}\n"));

        int exitCode = await RunAsync("1\nlobby\n" + said, "Bot");

        Assert.Equal(ExitCode.Success, exitCode);
        Assert.Equal(
            Enumerable.Range(0, 500).Select(static i => $"Bot: line {i}"),
            _output.ToString().Split('\n')
                .Where(static line => line.Contains("Bot: ", StringComparison.Ordinal)).Select(static line => line[11..]),
            StringComparer.Ordinal);
    }

    [Fact]
    public async Task An_indented_slash_is_said_and_is_a_command_in_the_menu_alone()
    {
        _server.AddRoom("lobby");

        await RunAsync("  /join 1\n    /usr/local/bin\n  /exit\n //both\n", "Bot");

        string output = _output.ToString();
        Assert.Contains("Bot:     /usr/local/bin\n", output, StringComparison.Ordinal);
        Assert.Contains("Bot:   /exit\n", output, StringComparison.Ordinal);
        Assert.Contains("Bot:  //both\n", output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task There_is_no_sequence_in_the_output_whatever_others_write()
    {
        _server.RefuseChat = request =>
        {
            _server.Say(request.RoomId, "E\u001b[31mve", "\u001b[2J\r\nAnn: fake");
            return null;
        };

        await RunAsync("1\nlobby\nhello\n", "Bot");

        string output = _output.ToString();
        Assert.Contains("E␛[31mve: ␛[2J␍␊Ann: fake\n", output, StringComparison.Ordinal);
        Assert.DoesNotContain(output, static c => char.IsControl(c) && c != '\n');
    }

    [Fact]
    public async Task A_refused_login_is_an_error_and_the_end()
    {
        _server.RefuseLogin = static _ => new SErrorNtf { Code = ErrorCode.PasswordRequired, Message = "This account has a password." };

        int exitCode = await RunAsync("3\n", "Bot");

        Assert.Equal(ExitCode.Failed, exitCode);
        Assert.Equal("Login refused: This account has a password. Use --password-stdin.\n", _errors.ToString());
        Assert.Equal("", _output.ToString());
    }

    [Fact]
    public async Task A_lost_connection_is_an_error_and_the_end()
    {
        _server.RefuseChat = _ =>
        {
            _server.CloseAll(CloseCode.ServerShutdown, "The server stops.");
            return new SErrorNtf { Code = ErrorCode.ServerShutdown };
        };

        int exitCode = await RunAsync("1\nlobby\nhello\n", "Bot");

        Assert.Equal(ExitCode.Failed, exitCode);
        Assert.StartsWith("It is not known whether this arrived: hello.", _errors.ToString(), StringComparison.Ordinal);
        Assert.EndsWith("\nConnection lost: The server stops\n", _errors.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_first_line_is_the_name_where_none_is_given()
    {
        int exitCode = await RunAsync("Bot\n3\n", name: null);

        Assert.Equal(ExitCode.Success, exitCode);
        Assert.Contains("There are no rooms yet", _output.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task No_name_at_all_is_an_error()
    {
        int exitCode = await RunAsync("", name: null);

        Assert.Equal(ExitCode.Failed, exitCode);
        Assert.Contains("use --name", _errors.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_output_that_nobody_reads_any_more_is_the_end()
    {
        await using var ui =
            new PlainUserInterface(new PipeConsole(new StringReader("3\n3\n"), new BrokenWriter(), _errors, isInteractive: false));

        int exitCode = await new ChatApp(Options("Bot"), ui, TimeProvider.System)
            .RunAsync(CancellationToken.None).WaitAsync(TestTimeouts.Hang);

        Assert.Equal(ExitCode.Success, exitCode);
    }

    [Fact]
    public async Task On_a_terminal_questions_are_shown()
    {
        await using var ui = new PlainUserInterface(new PipeConsole(new StringReader("q\n"), _output, _errors, isInteractive: true));

        await new ChatApp(Options("Ann"), ui, TimeProvider.System).RunAsync(CancellationToken.None).WaitAsync(TestTimeouts.Hang);

        Assert.EndsWith("1 create a room   2 join a room   3 list rooms   4 quit\nChoice: ", _output.ToString(), StringComparison.Ordinal);
    }

    private async Task<int> RunAsync(string input, string? name)
    {
        await using var ui = new PlainUserInterface(new PipeConsole(new StringReader(input), _output, _errors, isInteractive: false));
        return await new ChatApp(Options(name), ui, TimeProvider.System).RunAsync(CancellationToken.None).WaitAsync(TestTimeouts.Hang);
    }

    private ClientOptions Options(string? name) => new() { Nodes = [new("127.0.0.1", _server.Port)], Name = name, Reconnect = false };
}
