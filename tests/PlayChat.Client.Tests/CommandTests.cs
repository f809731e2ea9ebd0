using System.Threading.Channels;
using PlayChat.Client.Cli;
using PlayChat.Client.Interaction;
using PlayChat.Client.Screens;
using PlayChat.Protocol;
using PlayChat.TestUtilities;

namespace PlayChat.Client.Tests;

/// <summary>Commands in lines, at the chat server itself.</summary>
public sealed class CommandTests : IAsyncLifetime
{
    private readonly FakeConsole _ui = new();
    private readonly CancellationTokenSource _stop = new();
    private RealServer _server = null!;
    private ChatClient _ann = null!;

    public async ValueTask InitializeAsync()
    {
        _server = await RealServer.StartAsync(TimeProvider.System);
        _ann = await _server.LoginAsync("Ann");
    }

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        await _ann.DisposeAsync();
        await _server.DisposeAsync();
        _stop.Dispose();
    }

    [Fact]
    public async Task A_device_that_only_stays_logged_in_is_listed_as_offline_and_is_logged_out_by_its_number()
    {
        await using (await _server.LoginAsync("Bob", keep: true))
        {
        }

        Task<int> run = await StartAsync("Bob");
        _ui.Type("/account");
        string number = (await _ui.SeesAsync("  offline")).Split(' ')[0];
        Assert.StartsWith("-", number, StringComparison.Ordinal);
        _ui.Type($"/account logout {number}");
        await _ui.SeesAsync($"Device {number} is logged out.");
        await using ChatClient bob = await _server.LoginAsync("Bob");

        Assert.DoesNotContain((await bob.ListDevicesAsync()).Devices, static device => device.Offline);
        await QuitAsync(run);
    }

    [Fact]
    public async Task Members_are_listed_with_their_roles_and_also_when_they_are_offline()
    {
        long den = (await _ann.CreateRoomAsync("den")).RoomId;
        await using (ChatClient bob = await _server.LoginAsync("Bob"))
        {
            await bob.JoinRoomAsync(den);
        }

        await using ChatClient cid = await _server.LoginAsync("Cid");
        await cid.JoinRoomAsync(den);
        await _ann.ModerateAsync(
            new CModerateReq { RoomId = den, Action = ModerationAction.SetRole, PlayerName = "Cid", Role = RoomRole.Moderator });
        Task<int> run = await StartAsync("Dan");
        _ui.Type("/join den");
        await _ui.SeesAsync("? > ");

        _ui.Type("/members");
        await _ui.SeesAsync("Members (4)");
        Assert.Equal("Ann          owner", await _ui.SeesAsync(""));
        Assert.Equal("Cid          moderator", await _ui.SeesAsync(""));
        Assert.Equal("Dan", await _ui.SeesAsync(""));
        Assert.Equal("Bob                     offline", await _ui.SeesAsync(""));
        await QuitAsync(run);
    }

    [Fact]
    public async Task A_room_is_made_private_and_with_a_capacity_and_a_password()
    {
        Task<int> run = await StartAsync("Bob");
        _ui.Type("/create secret plans --private");
        await _ui.SeesAsync(": secret plans ==");
        Assert.Empty((await _ann.ListRoomsAsync()).Rooms);
        _ui.Type("/create quiz --capacity 5 --type quiz --password sesame");
        await _ui.SeesAsync(": quiz ==");

        RoomInfo quiz = Assert.Single((await _ann.ListRoomsAsync()).Rooms);
        Assert.Equal(("quiz", "quiz", 5u, true), (quiz.Name, quiz.Type, quiz.MaxMembers, quiz.Terms.HasPassword));
        await _ann.JoinRoomAsync(new CJoinRoomReq { RoomId = quiz.RoomId, Password = "sesame" });
        _ui.Type("/create full --capacity many");
        await _ui.SeesAsync($"\"--capacity many\" is no option of a room: there are {RoomArguments.CreateOptions}.");
        _ui.Type("/rooms --private");
        await _ui.SeesAsync("\"--private\" is no option of a room: there are [--type TYPE] [--with KEY=VALUE].");
        await QuitAsync(run);
    }

    [Fact]
    public async Task A_command_about_a_message_takes_its_number_from_the_end()
    {
        var named = Channel.CreateUnbounded<long>();
        _ann.ReactionChanged += (_, e) => named.Writer.TryWrite(e.Message.MessageSequence);
        _ann.MessageEdited += (_, e) => named.Writer.TryWrite(e.Message.MessageSequence);
        _ann.MessageReported += (_, e) => named.Writer.TryWrite(e.Message.Report.Sequence);
        var said = Channel.CreateUnbounded<long>();
        _ann.ChatReceived += (_, e) => _ = e.Message.PlayerName == "Bob" && said.Writer.TryWrite(e.Message.Sequence);
        long den = (await _ann.CreateRoomAsync("den")).RoomId;
        long one = (await _ann.ChatAsync(den, "one")).Sequence;
        long two = (await _ann.ChatAsync(den, "two")).Sequence;
        Task<int> run = await StartAsync("Bob");
        _ui.Type("/join den");
        await _ui.SeesAsync("? > ");

        async Task NamesAsync(string command, long message)
        {
            _ui.Type(command);
            Assert.Equal(message, await named.Reader.ReadAsync().AsTask().WaitAsync(TestTimeouts.Hang));
        }

        await NamesAsync("/react 👍", two);
        await NamesAsync("/react -2 👍", one);
        await NamesAsync("/report -2 rude", one);
        await _ui.SeesAsync("You have reported a message of Ann to the moderators.");
        _ui.Type("first", "second");
        await _ui.SeesAsync("Bob: second");
        long first = await said.Reader.ReadAsync().AsTask().WaitAsync(TestTimeouts.Hang);
        long second = await said.Reader.ReadAsync().AsTask().WaitAsync(TestTimeouts.Hang);
        await NamesAsync("/edit -2 the first", first);
        await NamesAsync("/delete -2", first);
        await _ui.SeesAsync("* Bob deleted a message.");
        _ui.Type("/delete -2", "/react -3 👍", "/edit -2");
        await _ui.SeesAsync("There is no such message of yours here.");
        await _ui.SeesAsync("There is no such message of another player here.");
        await _ui.SeesAsync("Type the new text of your last message: /edit TEXT. /edit -2 is about the message before.");
        await NamesAsync("/delete", second);
        await QuitAsync(run);
    }

    private async Task<Task<int>> StartAsync(string name)
    {
        var options = new ClientOptions { Nodes = [new("127.0.0.1", _server.Port)], Name = name };
        Task<int> run = new ChatApp(options, new PlainUserInterface(_ui), TimeProvider.System).RunAsync(_stop.Token);
        _ui.Type(await _ui.SeesAsync("? ") is var question && question.Contains("Create it?", StringComparison.Ordinal) ? "y" : "");
        await _ui.SeesAsync("1 create a room");
        return run;
    }

    private async Task QuitAsync(Task<int> run)
    {
        _ui.Type("/quit");
        Assert.Equal(ExitCode.Success, await run.WaitAsync(TestTimeouts.Hang));
    }
}
