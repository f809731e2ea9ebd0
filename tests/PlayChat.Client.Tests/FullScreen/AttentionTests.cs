using System.Collections.Concurrent;
using System.Threading.Channels;
using PlayChat.Client.Cli;
using PlayChat.Client.FullScreen;
using PlayChat.Client.Interaction;
using PlayChat.Client.Screens;
using PlayChat.Protocol;
using PlayChat.Testing;
using PlayChat.TestUtilities;

namespace PlayChat.Client.Tests.FullScreen;

/// <summary>What the full-screen client tells of its user: what it has read, and that it is writing.</summary>
public sealed class AttentionTests : IAsyncLifetime
{
    private readonly FakeTerminal _terminal = new() { Columns = 100 };
    private readonly ManualTimeProvider _time = new();
    private readonly CancellationTokenSource _stop = new();
    private RealServer _server = null!;
    private ChatClient _ann = null!;
    private FullScreenUserInterface _ui = null!;
    private Task<int> _run = null!;

    public async ValueTask InitializeAsync()
    {
        _server = await RealServer.StartAsync(_time);
        _ann = await _server.LoginAsync("Ann");
        _ui = new FullScreenUserInterface(_terminal, usesColors: true, "the server");
    }

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        _terminal.EndKeys();
        await _ui.DisposeAsync();
        await _ann.DisposeAsync();
        await _server.DisposeAsync();
        _stop.Dispose();
    }

    [Fact]
    public async Task What_the_user_sees_is_marked_as_read_every_few_seconds_and_at_the_end()
    {
        long den = (await _ann.CreateRoomAsync("den")).RoomId;
        await StartAsync();
        Enter("/join den");
        await SeesAsync(" den (");

        await _ann.ChatAsync(den, "hello @Bob");
        await SeesAsync("Ann: hello @Bob");
        await Eventually.GetAsync(
            async () =>
            {
                _time.Advance(TimeSpan.FromSeconds(5));
                return await MentionsAsync(den);
            },
            static mentions => mentions == 0);
        await _ann.ChatAsync(den, "bye @Bob");
        await SeesAsync("Ann: bye @Bob");
        await QuitAsync();

        Assert.Equal(0u, await MentionsAsync(den));
    }

    [Fact]
    public async Task A_room_that_the_login_has_entered_stays_unread_until_the_user_looks_at_it()
    {
        long first = (await _ann.CreateRoomAsync("first")).RoomId;
        long second = (await _ann.CreateRoomAsync("second")).RoomId;
        await using (ChatClient bob = await _server.LoginAsync("Bob"))
        {
            await bob.JoinRoomAsync(first);
            await bob.JoinRoomAsync(second);
        }

        await _ann.ChatAsync(first, "one @Bob");
        await _ann.ChatAsync(second, "two @Bob");
        await StartAsync();
        await SeesAsync("Ann: two @Bob");
        Enter("seen");
        await SeesAsync("Bob: seen");
        await QuitAsync();

        Assert.Equal(1u, await MentionsAsync(first));
        Assert.Equal(0u, await MentionsAsync(second));
    }

    [Fact]
    public async Task What_comes_below_the_lines_that_the_user_sees_is_not_seen()
    {
        ConcurrentQueue<long> seen = [];
        _ui.OpenRoom(1, "den", [], [.. Enumerable.Range(0, 100).Select(static i => new ScreenLine(LineKind.Chat, $"line {i}", "Ann"))]);
        _ui.WatchWith(seen.Enqueue, static _ => { });
        await Eventually.TrueAsync(() => !seen.IsEmpty);
        _terminal.Press(Keys.Press(ConsoleKey.PageUp));
        await SeesAsync(" more, PgDn");
        int before = seen.Count;

        _ui.Write(new ScreenLine(LineKind.Chat, "more", "Ann"), 1);
        await _ui.DisposeAsync();

        Assert.Equal(before, seen.Count);
    }

    [Fact]
    public async Task What_the_user_writes_is_told_once_in_3_seconds_and_a_command_is_not()
    {
        long den = (await _ann.CreateRoomAsync("den")).RoomId;
        var heard = Channel.CreateUnbounded<string>();
        var said = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _ann.MemberTyping += (_, e) => heard.Writer.TryWrite(
            _ann.FindRoom(den)!.Members.Single(member => member.PlayerId == e.Message.PlayerId).Name);
        _ann.ChatReceived += (_, e) => _ = e.Message.Text == "hi!" && said.TrySetResult();
        await StartAsync();
        Enter("/join den");
        await SeesAsync(" den (");

        _terminal.Type("/jo");
        await SeesAsync("> /jo");
        _time.Advance(TimeSpan.FromSeconds(3));
        _terminal.Press(Keys.Control(ConsoleKey.U));
        _terminal.Type("h");
        _terminal.Type("i");
        await SeesAsync("> hi");
        Assert.Equal("Bob", await heard.Reader.ReadAsync().AsTask().WaitAsync(TestTimeouts.Hang));
        _time.Advance(TimeSpan.FromSeconds(3));
        Enter("!");
        await said.Task.WaitAsync(TestTimeouts.Hang);

        Assert.Equal(1, heard.Reader.Count);
    }

    [Fact]
    public async Task The_status_line_shows_who_is_writing_for_5_seconds_or_until_the_message()
    {
        long den = (await _ann.CreateRoomAsync("den")).RoomId;
        await StartAsync();
        Enter("/join den");
        await SeesAsync(" den (");

        _ann.SendTyping(den);
        await SeesAsync("connected");
        await SeesAsync(" Ann is writing ");
        _time.Advance(TimeSpan.FromSeconds(5));
        await SeesNoWriterAsync();
        _ann.SendTyping(den);
        await SeesAsync(" Ann is writing ");
        await _ann.ChatAsync(den, "done");
        await SeesAsync("Ann: done");
        await SeesNoWriterAsync();
    }

    private async Task StartAsync()
    {
        _run = new ChatApp(new ClientOptions { Nodes = [new("127.0.0.1", _server.Port)], Name = "Bob" }, _ui, _time).RunAsync(_stop.Token);
        await SeesAsync("Create it? [y/N]", "Bob │ ● connected");
        if (_terminal.ScreenRows().Any(static row => row.Contains("Create it?", StringComparison.Ordinal)))
        {
            Enter("y");
            await SeesAsync("Bob │ ● connected");
        }
    }

    private async Task QuitAsync()
    {
        Enter("/quit");
        Assert.Equal(ExitCode.Success, await _run.WaitAsync(TestTimeouts.Hang));
    }

    /// <summary>The unread messages that name Bob, which the server knows before it has stored them.</summary>
    private async Task<uint> MentionsAsync(long roomId)
    {
        await using ChatClient bob = await _server.LoginAsync("Bob");
        return bob.Login!.Memberships.Single(membership => membership.RoomId == roomId).UnreadMentions;
    }

    private void Enter(string line) => _terminal.Press([.. Keys.Type(line), Keys.Enter]);

    private Task SeesNoWriterAsync() =>
        _terminal.HoldsAsync(static screen => !screen.Rows.Any(static row => row.Contains("is writing", StringComparison.Ordinal)));

    private Task SeesAsync(params string[] texts) => _terminal.HoldsAsync(screen =>
        screen.Rows.Any(row => texts.Any(text => (row + " ").Contains(text, StringComparison.Ordinal))));
}
