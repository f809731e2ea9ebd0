using PlayChat.Client.Cli;
using PlayChat.Client.Interaction;
using PlayChat.Client.Screens;
using PlayChat.Protocol;
using PlayChat.TestUtilities;

namespace PlayChat.Client.Tests;

/// <summary><c>/msg NAME TEXT</c> in lines.</summary>
public sealed class DirectMessagesTests : IAsyncLifetime
{
    private readonly FakeConsole _ui = new();
    private readonly FakeConsole _other = new();
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
    public async Task A_member_is_written_to_and_answers_from_another_room_and_from_the_menu()
    {
        _server.AddRoom("lobby");
        Task<int> first = Start(_ui, "Ann");
        _ui.Type("2", "1");
        await _ui.SeesAsync("/msg NAME TEXT");
        Task<int> second = Start(_other, "Bob Lee");
        _other.Type("2", "1");
        await _ui.SeesAsync("* Bob Lee has joined the room.");

        _ui.Type("/msg bob lee  hello \u001b[1mthere");
        Assert.EndsWith("[to Bob Lee] hello ␛[1mthere", await _ui.SeesAsync("[to "), StringComparison.Ordinal);
        Assert.EndsWith("[from Ann] hello ␛[1mthere", await _other.SeesAsync("[from "), StringComparison.Ordinal);
        _other.Type("/exit");
        await _other.SeesAsync("1 create a room");
        _other.Type("/msg Ann from the menu");
        await _other.SeesAsync("[to Ann] from the menu");
        await _ui.SeesAsync("[from Bob Lee] from the menu");
        _ui.Type("/msg Bob Lee and back"); // no member any more
        await _other.SeesAsync("[from Ann] and back");
        _other.Type("q");
        Assert.Equal(ExitCode.Success, await second.WaitAsync(TestTimeouts.Hang));
        await Eventually.TrueAsync(() => _server.Players == 1);
        _ui.Type("/msg Bob Lee are you there?");
        await _ui.SeesAsync("Not sent: The player is not connected. (are you there?)");
        _ui.Type("/quit");

        Assert.Equal(ExitCode.Success, await first.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task A_name_or_text_that_is_missing_or_wrong_is_said_with_the_names_there_are()
    {
        long room = _server.AddRoom("lobby");
        Task<int> run = Start(_ui, "Ann");
        _ui.Type("/msg");
        await _ui.SeesAsync("Type /msg NAME TEXT. You know no player yet: join a room, or wait for a message.");
        _server.Say(room, "Bob Lee", "old"); // in the history that is shown
        _ui.Type("2", "1");
        await _ui.SeesAsync("Bob Lee: old");

        _ui.Type("/msg Zed hello");
        await _ui.SeesAsync("Not sent: no player that you know has the name in \"Zed hello\". You can write to: Bob Lee.");
        _ui.Type("/msg Bob Lee");
        await _ui.SeesAsync("Type the text behind the name: /msg NAME TEXT.");
        _ui.Type("/msg Bob Lee " + new string('가', 1400));
        await _ui.SeesAsync("Not sent: the text has 4200 bytes");
        _ui.Type("/msg Bob Lee hello");
        await _ui.SeesAsync("Not sent: The player is not connected. (hello)");
        _ui.Type("/quit");

        Assert.Equal(ExitCode.Success, await run.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task When_the_connection_breaks_before_the_answer_it_is_said_that_the_outcome_is_not_known()
    {
        _server.CanResume = true;
        long room = _server.AddRoom("lobby");
        _server.Say(room, "Bob", "old");
        Task<int> run = Start(_ui, "Ann");
        _ui.Type("2", "1");
        await _ui.SeesAsync("Bob: old");

        _server.FailsDirect = true;
        _ui.Type("/msg Bob hello");
        await _ui.SeesAsync("It is not known whether this arrived: hello.");
        _ui.Type("/quit");

        Assert.Equal(ExitCode.Success, await run.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task Conversations_are_listed_fifty_at_once()
    {
        await using RealServer server = await RealServer.StartAsync(TimeProvider.System);
        await using (await server.LoginAsync("Ann"))
        {
            for (int i = 1; i <= 51; i++)
            {
                await using ChatClient other = await server.LoginAsync($"Fan {i}");
                await other.SendDirectAsync(new CDirectChatReq { PlayerName = "Ann", Text = $"text {i}." });
            }
        }

        Task<int> run = Start(_ui, "Ann", server.Port);
        _ui.Type("/conversations older");
        await _ui.SeesAsync("There are no older ones. /conversations lists the newest.");
        _ui.Type("/conversations");
        await _ui.SeesAsync("text 2.");
        await _ui.SeesAsync("There are more: /conversations older lists them.");
        _ui.Type("/conversations older");
        await _ui.SeesAsync("text 1.");
        _ui.Type("/conversations older");
        await _ui.SeesAsync("There are no older ones.");
        _ui.Type("/quit");

        Assert.Equal(ExitCode.Success, await run.WaitAsync(TestTimeouts.Hang));
    }

    private Task<int> Start(FakeConsole ui, string name, int? port = null)
    {
        var options = new ClientOptions { Nodes = [new("127.0.0.1", port ?? _server.Port)], Name = name };
        return new ChatApp(options, new PlainUserInterface(ui), TimeProvider.System).RunAsync(_stop.Token);
    }
}
