using System.Globalization;
using PlayChat.FunctionalTests.Harness;
using PlayChat.Protocol;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests;

/// <summary>The console client without a terminal: what a script types, and what it gets.</summary>
public sealed class ConsoleClientTests(SharedServer shared)
{
    private readonly ServerProcess _server = shared.Process;

    [Fact]
    public async Task Two_scripted_clients_talk_in_a_room()
    {
        using var folder = new TemporaryDirectory();
        await using ProgramProcess first = StartClient(_server, folder, "--name", "보라");
        await using ProgramProcess second = StartClient(_server, folder);

        await first.WaitForLineAsync(static line => line.EndsWith("Welcome, 보라.", StringComparison.Ordinal));
        await first.TypeAsync("1");
        await first.TypeAsync("시험 방 🧪");
        string title = await first.WaitForLineAsync(static line => line.StartsWith("== ", StringComparison.Ordinal));
        string roomId = string.Concat(title.SkipWhile(static c => !char.IsAsciiDigit(c)).TakeWhile(char.IsAsciiDigit));

        // The second one is asked for its name, sees the room in the list and joins it.
        await second.TypeAsync("노랑");
        await second.WaitForLineAsync(static line => line.EndsWith("Welcome, 노랑.", StringComparison.Ordinal));
        await second.TypeAsync("3");
        await second.WaitForLineAsync(line =>
            line.StartsWith(roomId, StringComparison.Ordinal) && line.Contains("시험 방 🧪", StringComparison.Ordinal));
        await second.TypeAsync("2");
        await second.TypeAsync(roomId);
        await first.WaitForLineAsync(static line => line.EndsWith("* 노랑 has joined the room.", StringComparison.Ordinal));

        await first.TypeAsync("안녕 👋");
        await second.WaitForLineAsync(static line => line.EndsWith(" 보라: 안녕 👋", StringComparison.Ordinal));
        await second.TypeAsync("반가워 🎉");
        await first.WaitForLineAsync(static line => line.EndsWith(" 노랑: 반가워 🎉", StringComparison.Ordinal));
        await first.TypeAsync("/members");
        await first.WaitForLineAsync(static line => line == "노랑");

        await second.TypeAsync("/exit");
        await first.WaitForLineAsync(static line => line.EndsWith("* 노랑 has left the room.", StringComparison.Ordinal));
        await second.TypeAsync("4");
        Assert.True(await second.WaitForExitAsync() == 0, second.Describe());
        first.EndInput();
        Assert.True(await first.WaitForExitAsync() == 0, first.Describe());
        Assert.Empty(first.ErrorLines);
        Assert.Empty(second.ErrorLines);
        Assert.DoesNotContain(first.OutputLines.Concat(second.OutputLines), static line =>
            line.Contains('\u001b', StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_room_is_moderated_and_a_message_changed_by_commands()
    {
        using var folder = new TemporaryDirectory();
        await using ProgramProcess owner = StartClient(_server, folder, "--name", "Olga");
        await using ProgramProcess member = StartClient(_server, folder, "--name", "Max Power");
        await owner.TypeAsync("1");
        await owner.TypeAsync("rules");
        string title = await owner.WaitForLineAsync(static line => line.StartsWith("== ", StringComparison.Ordinal));
        await member.TypeAsync("2");
        await member.TypeAsync(string.Concat(title.SkipWhile(static c => !char.IsAsciiDigit(c)).TakeWhile(char.IsAsciiDigit)));
        await owner.WaitForLineAsync(static line => line.EndsWith("* Max Power has joined the room.", StringComparison.Ordinal));

        await member.TypeAsync("helo");
        await owner.WaitForLineAsync(static line => line.EndsWith(" Max Power: helo", StringComparison.Ordinal));
        await member.WaitForLineAsync(static line => line.EndsWith(" Max Power: helo", StringComparison.Ordinal));
        await member.TypeAsync("/edit hello");
        await owner.WaitForLineAsync(static line => line.EndsWith("* Max Power changed a message: hello", StringComparison.Ordinal));
        await owner.TypeAsync("/delete max power");
        await member.WaitForLineAsync(static line => line.EndsWith("* Olga deleted a message.", StringComparison.Ordinal));
        await owner.TypeAsync("/mute Max Power 5 calm down");
        await member.WaitForLineAsync(static line => line.EndsWith(" UTC by Olga: calm down.", StringComparison.Ordinal));
        await owner.TypeAsync("/role Max Power moderator");
        await member.WaitForLineAsync(static line => line.EndsWith("* Olga made Max Power a moderator.", StringComparison.Ordinal));
        await owner.TypeAsync("/kick Max Power");
        await owner.WaitForLineAsync(static line => line.EndsWith("* Max Power was removed by Olga.", StringComparison.Ordinal));
        await member.WaitForLineAsync(static line =>
            line.EndsWith("Olga removed you from rules. /exit closes the room here.", StringComparison.Ordinal));
        await owner.TypeAsync("/remove");
        await Eventually.TrueAsync(() => owner.ErrorLines.Any(static line =>
            line.EndsWith("type its name: /remove rules", StringComparison.Ordinal)));
    }

    [Fact]
    public async Task A_direct_message_is_read_at_the_next_login_and_a_player_is_blocked()
    {
        using var folder = new TemporaryDirectory();
        await using (ProgramProcess early = StartClient(_server, folder, "--name", "Reader"))
        {
            await early.WaitForLineAsync(static line => line.Contains("Welcome, ", StringComparison.Ordinal));
            await early.TypeAsync("/conversations");
            await early.WaitForLineAsync(static line =>
                line.EndsWith("You have no conversations yet: /dm NAME TEXT begins one.", StringComparison.Ordinal));
            await early.TypeAsync("/quit");
            await early.Exited;
        }

        await using ProgramProcess writer = StartClient(_server, folder, "--name", "Writer");
        await writer.WaitForLineAsync(static line => line.Contains("Welcome, ", StringComparison.Ordinal));
        await writer.TypeAsync("/dm reader are you there?");
        await writer.WaitForLineAsync(static line => line.EndsWith("[to reader] are you there?", StringComparison.Ordinal));
        await using ProgramProcess reader = StartClient(_server, folder, "--name", "Reader");
        await reader.WaitForLineAsync(static line => line.EndsWith("1 new from Writer. /dm Writer shows them.", StringComparison.Ordinal));
        await reader.TypeAsync("/dm Writer");
        await reader.WaitForLineAsync(static line => line.EndsWith("[from Writer] are you there?", StringComparison.Ordinal));
        await reader.TypeAsync("/block writer");
        await reader.WaitForLineAsync(static line =>
            line.EndsWith("Writer is blocked. /unblock Writer ends it.", StringComparison.Ordinal));

        await writer.TypeAsync("/dm Reader hello?");
        await Eventually.TrueAsync(() => writer.ErrorLines.Any(static line =>
            line.Contains("Not sent: This player takes no messages and invitations from you.", StringComparison.Ordinal)));
    }

    [Fact]
    public async Task A_client_over_WebSocket_talks_with_one_over_TCP()
    {
        using var folder = new TemporaryDirectory();
        await using ServerProcess server = await ServerProcess.StartAsync("--Web:Enabled=true", "--Web:Port=0");
        int port = await server.WaitForWebPortAsync();
        string url = string.Create(CultureInfo.InvariantCulture, $"ws://127.0.0.1:{port}/ws");
        await using ChatClient tcp = await Players.LoginAsync(server, "over TCP");
        var heard = new Inbox(tcp);
        long roomId = (await tcp.CreateRoomAsync("mixed")).RoomId;
        await using ProgramProcess web = ProgramProcess.Start(
            ProgramFile.Find("PlayChat.Client"), folder.Path, "--url", url, "--name", "web");

        await web.WaitForLineAsync(line => line.EndsWith($"Connected to {url}. Welcome, web.", StringComparison.Ordinal));
        await web.TypeAsync("2");
        await web.TypeAsync(roomId.ToString(CultureInfo.InvariantCulture));
        await heard.NextJoinAsync();
        await web.TypeAsync("hello");
        Assert.Equal("hello", (await heard.NextChatAsync()).Text);
        await tcp.ChatAsync(roomId, "welcome");
        await web.WaitForLineAsync(static line => line.EndsWith(" over TCP: welcome", StringComparison.Ordinal));

        Assert.Equal(0, await server.StopAsync());
        await web.WaitForLineAsync(static line => line.StartsWith("The server restarts; ", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_whole_script_through_a_pipe_ends_well_and_its_words_arrive()
    {
        using var folder = new TemporaryDirectory();
        await using ProgramProcess client = StartClient(_server, folder, "--name", "script");

        foreach (string line in (string[])["1", "piped", "one", "two", "three", "/quit"])
        {
            await client.TypeAsync(line);
        }

        Assert.True(await client.WaitForExitAsync() == 0, client.Describe());
        Assert.Equal(
            ["one", "two", "three"],
            client.OutputLines.Where(static line => line.Contains("] script: ", StringComparison.Ordinal))
                .Select(static line => line.Split(": ")[^1]),
            StringComparer.Ordinal);
    }

    [Fact]
    public async Task The_commands_of_the_quick_start_work_through_a_pipe()
    {
        using var folder = new TemporaryDirectory();
        await using ProgramProcess first = StartClient(_server, folder, "--name", "piped ada");
        await first.TypeAsync("/create quick start");
        await first.WaitForLineAsync(static line => line == "Members: piped ada");
        await using ProgramProcess second = StartClient(_server, folder, "--name", "piped bob");
        await second.TypeAsync("/join quick start");
        await second.TypeAsync("hello");

        await first.WaitForLineAsync(static line => line.EndsWith(" piped bob: hello", StringComparison.Ordinal));
        await second.TypeAsync("/quit");
        await first.TypeAsync("/quit");
        Assert.True(await second.WaitForExitAsync() == 0, second.Describe());
        Assert.True(await first.WaitForExitAsync() == 0, first.Describe());
    }

    [Fact]
    public async Task A_server_that_goes_away_or_is_not_there_is_said_plainly()
    {
        using var folder = new TemporaryDirectory();
        await using ServerProcess server = await ServerProcess.StartAsync();
        await using ProgramProcess client = StartClient(server, folder, "--name", "left alone", "--no-reconnect");
        await client.TypeAsync("1");
        await client.TypeAsync("doomed");
        await client.WaitForLineAsync(static line => line == "Members: left alone");

        server.Program.Kill();
        int exitCode = await client.WaitForExitAsync();
        await server.Program.WaitForExitAsync();
        await using ProgramProcess late = StartClient(server, folder, "--name", "late");
        int lateExitCode = await late.WaitForExitAsync();

        Assert.True(exitCode == 1, client.Describe());
        Assert.StartsWith("Connection lost: ", Assert.Single(client.ErrorLines), StringComparison.Ordinal);
        Assert.True(lateExitCode == 1, late.Describe());
        Assert.Contains($"127.0.0.1:{server.Port}", Assert.Single(late.ErrorLines), StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task After_a_restart_of_the_server_the_client_is_back_in_its_room_without_banner_and_backlog()
    {
        Assert.SkipUnless(PosixSignals.AreSupported, PosixSignals.SkipReason);
        using var folder = new TemporaryDirectory();
        string[] options = ["--Sessions:ReturnWithin=00:00:01"];
        await using ServerProcess server = await ServerProcess.StartInAsync(folder.Path, options);
        await using ProgramProcess client = StartClient(server, folder, "--name", "patient");
        await client.TypeAsync("1");
        await client.TypeAsync("lobby");
        await client.TypeAsync("before");
        await client.WaitForLineAsync(static line => line.EndsWith(" patient: before", StringComparison.Ordinal));
        await using ProgramProcess other = StartClient(server, folder, "--name", "constant");
        await other.TypeAsync("/join lobby");
        await client.WaitForLineAsync(static line => line.EndsWith("* constant has joined the room.", StringComparison.Ordinal));

        Assert.Equal(0, await server.StopAsync());
        await client.WaitForLineAsync(static line => line == "The server restarts; back in about 1 s.");
        await using ServerProcess anew = await ServerProcess.StartInAsync(
            folder.Path, [.. options, "--port", server.Port.ToString(CultureInfo.InvariantCulture)]);
        await client.WaitForLineAsync(static line => line.StartsWith("Reconnected, ", StringComparison.Ordinal));
        await other.WaitForLineAsync(static line => line.StartsWith("Reconnected, ", StringComparison.Ordinal)); // first: it misses nothing
        await client.TypeAsync("after");
        await client.WaitForLineAsync(static line => line.EndsWith(" patient: after", StringComparison.Ordinal));
        await other.TypeAsync("here as well");
        await client.WaitForLineAsync(static line => line.EndsWith(" constant: here as well", StringComparison.Ordinal));
        await client.TypeAsync("/quit");

        Assert.True(await client.WaitForExitAsync() == 0, client.Describe());
        Assert.Single(client.OutputLines, static line => line.EndsWith(" has joined the room.", StringComparison.Ordinal));
        Assert.DoesNotContain(other.OutputLines, static line => line.EndsWith(" has joined the room.", StringComparison.Ordinal));
        Assert.Single(client.OutputLines, static line => line.StartsWith("== Room ", StringComparison.Ordinal));
        Assert.Single(client.OutputLines, static line => line.EndsWith("Welcome, patient.", StringComparison.Ordinal));
        Assert.Single(client.OutputLines, static line => line.EndsWith(" patient: before", StringComparison.Ordinal));
        Assert.Empty(client.ErrorLines);
    }

    private static ProgramProcess StartClient(ServerProcess server, TemporaryDirectory folder, params string[] arguments) =>
        ProgramProcess.Start(
        ProgramFile.Find("PlayChat.Client"), folder.Path, ["--port", server.Port.ToString(CultureInfo.InvariantCulture), .. arguments]);
}
