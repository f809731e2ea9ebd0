using PlayChat.Client.Cli;
using PlayChat.Client.Interaction;
using PlayChat.Client.Screens;
using PlayChat.Protocol;
using PlayChat.TestUtilities;

namespace PlayChat.Client.Tests;

/// <summary>A script whose room is refused: what it says next is no choice of the menu.</summary>
public sealed class RefusedRoomTests : IAsyncLifetime
{
    private readonly StringWriter _output = new() { NewLine = "\n" };
    private readonly StringWriter _errors = new() { NewLine = "\n" };
    private SmallChatServer _server = null!;

    public async ValueTask InitializeAsync() => _server = await SmallChatServer.StartAsync();

    public ValueTask DisposeAsync() => _server.DisposeAsync();

    [Theory]
    [InlineData("2\n7\n1\n3\nhello\n", "There is no room 7.\n")]
    [InlineData("2\none\n1\n3\nhello\n", "There is no room \"one\".\n")]
    [InlineData("2\n\n1\n3\nhello\n", "Type the number or the name of the room: /join ROOM.\n")]
    [InlineData("1\n\u001b[1mlobby\n1\n3\nhello\n", "A room's name has 1 to 64 characters that can be seen.\n")]
    [InlineData("1\n\n1\n3\nhello\n", "A room's name has 1 to 64 characters that can be seen.\n")]
    public async Task A_refused_room_is_an_error_and_the_end(string input, string error)
    {
        int exitCode = await RunAsync(input);

        Assert.Equal(ExitCode.Failed, exitCode);
        Assert.Equal(error, _errors.ToString());
        Assert.EndsWith("Welcome, Bot.\n", _output.ToString(), StringComparison.Ordinal);
        Assert.Equal(1, _server.AddRoom("the first after all"));
    }

    [Fact]
    public async Task A_full_room_is_an_error_and_the_end()
    {
        _server.AddRoom("lobby");
        _server.MaxMembers = 0;

        Assert.Equal(ExitCode.Failed, await RunAsync("2\n1\nhello\n"));
        Assert.Equal("The room is full.\n", _errors.ToString());
    }

    [Theory]
    [InlineData("2\n1\n", ExitCode.Failed, "This room needs a password. In a script: /join NUMBER PASSWORD.\n")]
    [InlineData("2\n1 open sesame\nhello\n", ExitCode.Success, "")]
    [InlineData("2\n1 open barley\nhello\n", ExitCode.Failed, "This room needs a password.\n")]
    public async Task A_script_sends_the_password_of_a_room_behind_its_number(string input, int exitCode, string error)
    {
        _server.SetPassword(_server.AddRoom("den"), "open sesame");

        Assert.Equal(exitCode, await RunAsync(input));
        Assert.Equal(error, _errors.ToString());
    }

    [Theory]
    [InlineData("2\n")]
    [InlineData("1\n")]
    [InlineData("3\nwhat\n\n")]
    public async Task An_input_that_ends_in_the_menu_is_no_error(string input)
    {
        Assert.Equal(ExitCode.Success, await RunAsync(input));
        Assert.Equal("", _errors.ToString());
    }

    [Fact]
    public async Task What_a_script_says_in_a_room_that_is_gone_after_a_reconnect_is_an_error()
    {
        var script = new FakeConsole { IsInteractive = false };
        Task<int> run = new ChatApp(Options(), new PlainUserInterface(script), TimeProvider.System).RunAsync(CancellationToken.None);
        script.Type("1", "lobby");
        await script.SeesAsync("? > ");

        _server.ForgetRooms();
        _server.CloseAll(CloseCode.ServerShutdown, "The server stops.", retryAfterMs: 20);

        await script.SeesAsync("Reconnected, but you are no longer in room 1");
        script.Type("hello");
        await script.SeesAsync("Not sent: You are not in the room. (hello)");
        script.EndInput();
        Assert.Equal(ExitCode.Failed, await run.WaitAsync(TestTimeouts.Hang));
    }

    private async Task<int> RunAsync(string input)
    {
        await using var ui = new PlainUserInterface(new PipeConsole(new StringReader(input), _output, _errors, isInteractive: false));
        return await new ChatApp(Options(), ui, TimeProvider.System).RunAsync(CancellationToken.None).WaitAsync(TestTimeouts.Hang);
    }

    private ClientOptions Options() => new() { Nodes = [new("127.0.0.1", _server.Port)], Name = "Bot" };
}
