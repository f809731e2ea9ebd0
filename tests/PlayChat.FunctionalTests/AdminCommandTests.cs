using System.Text.Json;
using PlayChat.FunctionalTests.Harness;
using PlayChat.Protocol;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests;

/// <summary>The command <c>admin</c> as a process of its own, against a server that runs.</summary>
public sealed class AdminCommandTests
{
    private const string Token = "0123456789abcdef0123";

    [Fact]
    [Trait("Tier", "Full")]
    public async Task An_operator_finds_a_session_tells_it_something_closes_it_and_drains_the_server()
    {
        await using ServerProcess server = await StartAsync();
        string url = $"{await server.WaitForOperationsAsync()}";
        await using ChatClient kim = await Players.LoginAsync(server, "Kim");
        await using ChatClient lee = await Players.LoginAsync(server, "Lee");
        SCreateRoomRes room = await kim.CreateRoomAsync("lobby");
        var noticed = new TaskCompletionSource<string>(TaskCreationOptions.RunContinuationsAsynchronously);
        kim.ServerNotice += (_, args) => noticed.TrySetResult(args.Message);

        Assert.Contains("OK  No warnings.", await RunAsync(server, url, 0, "status"), StringComparison.Ordinal);
        string sessions = await RunAsync(server, url, 0, "sessions", "--find", "kim", "--json");
        using var found = JsonDocument.Parse(sessions);
        string id = found.RootElement.GetProperty("items")[0].GetProperty("id").ToString();
        Assert.Contains("lobby", await RunAsync(server, url, 0, "sessions", id), StringComparison.Ordinal);
        Assert.Equal(
            """
            No session matches.
            A client that has stopped reading is not slow before the system's buffers for it are full, which may take a minute.
            """,
            (await RunAsync(server, url, 0, "sessions", "--state", "slow")).Trim(),
            ignoreLineEndingDifferences: true);
        Assert.Equal("No session matches.", (await RunAsync(server, url, 0, "sessions", "--find", "no such player")).Trim());
        Assert.Contains("lobby", await RunAsync(server, url, 0, "rooms", "--sort", "rate"), StringComparison.Ordinal);
        Assert.Contains("Kim", await RunAsync(server, url, 0, "rooms", $"{room.RoomId}"), StringComparison.Ordinal);
        Assert.Contains(
            "1 members",
            await RunAsync(server, url, 0, "notice", "Break at noon.", "--room", $"{room.RoomId}"),
            StringComparison.Ordinal);
        Assert.Equal("Break at noon.", await noticed.Task.WaitAsync(TestTimeouts.Hang));
        Assert.Contains("gen2", await RunAsync(server, url, 0, "heap"), StringComparison.Ordinal);
        Assert.Contains("is now Debug", await RunAsync(server, url, 0, "log-level", "Debug"), StringComparison.Ordinal);
        Assert.Contains("Default", await RunAsync(server, url, 0, "log-level"), StringComparison.Ordinal);
        Assert.Contains(
            "is now 500", await RunAsync(server, url, 0, "limits", "PlayChat:Connections:MaxConnections", "500"), StringComparison.Ordinal);
        Assert.Contains("500", await RunAsync(server, url, 0, "limits", "MaxConnections"), StringComparison.Ordinal);
        await RunAsync(server, url, 0, "notice", "To you.", "--player", "Kim");
        Assert.Contains("--player", await RunAsync(server, url, 2, "close"), StringComparison.Ordinal);
        await RunAsync(server, url, 0, "close", id, "--message", "Good bye.");
        Assert.Equal("Good bye.", (await kim.Closed.WaitAsync(TestTimeouts.Hang)).ServerMessage);
        await Eventually.GetAsync( // the server notes it when its own end has closed
            () => RunAsync(server, url, 0, "closes", "--find", "kim"),
            static closes => closes.Contains("LocalClose", StringComparison.Ordinal));
        Assert.Contains("no chat room 99", await RunAsync(server, url, 1, "remove-room", "99"), StringComparison.Ordinal);
        await RunAsync(server, url, 0, "drain", "--yes");
        Assert.Equal(0, await server.Program.WaitForExitAsync());
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task An_operator_manages_the_accounts_and_bans_of_a_running_server()
    {
        await using ServerProcess server = await StartAsync();
        string url = $"{await server.WaitForOperationsAsync()}";

        Assert.Contains("was added", await TypeAsync("correct horse", server, url, "accounts", "add", "Kim Lee"), StringComparison.Ordinal);
        await TypeAsync("battery staple", server, url, "accounts", "passwd", "Kim Lee");
        await (await Players.LoginAsync(server, "Kim Lee", "battery staple")).DisposeAsync();
        Assert.Contains("is disabled", await RunAsync(server, url, 0, "accounts", "disable", "Kim Lee"), StringComparison.Ordinal);
        await Assert.ThrowsAsync<ChatErrorException>(() => Players.LoginAsync(server, "Kim Lee", "battery staple"));
        Assert.Contains(" disabled ", await RunAsync(server, url, 0, "accounts"), StringComparison.Ordinal);
        await RunAsync(server, url, 0, "accounts", "enable", "Kim Lee");
        await (await Players.LoginAsync(server, "Kim Lee", "battery staple")).DisposeAsync();
        Assert.Equal("Nothing is banned.", (await RunAsync(server, url, 0, "bans")).Trim());
        await RunAsync(server, url, 0, "bans", "add", "Kim Lee", "--for", "7d", "--reason", "spam");
        Assert.Matches("Kim Lee +account .* spam", await RunAsync(server, url, 0, "bans"));
        string noUnit = await RunAsync(server, url, 2, "bans", "add", "Kim Lee", "--for", "7");
        Assert.Contains("allowed is 1 to 36500", noUnit, StringComparison.Ordinal);
        await RunAsync(server, url, 0, "bans", "remove", "Kim Lee");
        Assert.Contains("--yes", await RunAsync(server, url, 2, "accounts", "remove", "Kim Lee"), StringComparison.Ordinal);
        Assert.Contains("\"messages\":[]", await RunAsync(server, url, 0, "accounts", "export", "Kim Lee"), StringComparison.Ordinal);
        string removed = await RunAsync(server, url, 0, "accounts", "remove", "Kim Lee", "--texts", "--yes");
        Assert.Contains("texts of 0", removed, StringComparison.Ordinal);
        Assert.Equal("There are no accounts.", (await RunAsync(server, url, 0, "accounts")).Trim());
        Assert.Contains("There is no account", await RunAsync(server, url, 1, "accounts", "enable", "Kim Lee"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Without_the_token_or_the_server_the_command_says_what_to_do()
    {
        await using ServerProcess server = await StartAsync();
        string url = $"{await server.WaitForOperationsAsync()}";

        Assert.Contains("--token-file", await RunWithAsync("", server, url, 1, ["status"]), StringComparison.Ordinal);
        Assert.Contains("Operations:Enabled=true", await RunAsync(server, "http://127.0.0.1:1", 1, "status"), StringComparison.Ordinal);
        Assert.Contains("--yes", await RunAsync(server, url, 2, "drain"), StringComparison.Ordinal);
        Assert.Contains("allowed is an address", await RunAsync(server, "nonsense", 2, "status"), StringComparison.Ordinal);
        Assert.Contains("There is no session 99", await RunAsync(server, url, 1, "close", "99"), StringComparison.Ordinal);
    }

    private static Task<ServerProcess> StartAsync() => ServerProcess.StartAsync(
        "--Operations:Enabled=true", "--Operations:Address=127.0.0.1:0", "--Operations:Token=" + Token);

    private static Task<string> RunAsync(ServerProcess server, string url, int expected, params string[] arguments) =>
        RunWithAsync(Token, server, url, expected, arguments);

    private static Task<string> TypeAsync(string password, ServerProcess server, string url, params string[] arguments) =>
        RunWithAsync(Token, server, url, 0, arguments, password);

    private static async Task<string> RunWithAsync(
        string token, ServerProcess server, string url, int expected, string[] arguments, string? password = null)
    {
        string file = Path.Combine(server.Directory, token.Length == 0 ? "no-token" : "token");
        await File.WriteAllTextAsync(file, token);
        await using var command = ProgramProcess.Start(
            ProgramFile.Server, server.Directory, ["admin", .. arguments, "--url", url, "--token-file", file]);
        if (password is not null)
        {
            await command.TypeAsync(password);
        }

        int exitCode = await command.WaitForExitAsync();
        string printed = string.Join('\n', command.OutputLines.Concat(command.ErrorLines));
        Assert.True(exitCode == expected, $"admin {string.Join(' ', arguments)} ended with {exitCode}: {printed}");
        return printed;
    }
}
