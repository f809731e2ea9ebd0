using PlayChat.Core.Clients;
using PlayChat.FunctionalTests.Harness;
using PlayChat.Protocol;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests;

/// <summary>The command <c>accounts</c> as a process of its own, beside a server that runs.</summary>
public sealed class AccountsCommandTests
{
    [Fact]
    [Trait("Tier", "Full")]
    public async Task Accounts_are_made_changed_disabled_and_listed_while_the_server_runs()
    {
        await using ServerProcess server = await ServerProcess.StartAsync("--Accounts:AutoRegister=false");

        Assert.Contains("Account 김 (1) was added", await RunAsync(server, password: "열려라 참깨", 0, "add", "김"), StringComparison.Ordinal);
        await using ChatClient first = await Players.LoginAsync(server, "김", "열려라 참깨");
        await RunAsync(server, password: "another", 0, "passwd", "김");
        await AssertRefusedAsync(server, "김", "열려라 참깨");
        await using ChatClient second = await Players.LoginAsync(server, "김", "another");
        await RunAsync(server, password: null, 0, "disable", "김");
        await AssertRefusedAsync(server, "김", "another");
        Assert.Contains(" disabled ", await RunAsync(server, password: null, 0, "list"), StringComparison.Ordinal);

        // The session that was open goes on.
        Assert.Empty((await second.ListRoomsAsync()).Rooms);
        await RunAsync(server, password: null, 0, "enable", "김");
        await using ChatClient third = await Players.LoginAsync(server, "김", "another");

        await RunAsync(server, password: "n", 1, "remove", "김"); // the line answers the question
        Assert.Contains(
            "Account 김 (1) was removed.", await RunAsync(server, password: "y", 0, "remove", "김"), StringComparison.Ordinal);
        await AssertRefusedAsync(server, "김", "another");
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task A_player_whose_password_was_changed_does_not_come_back_by_itself_after_a_cut()
    {
        using var folder = new TemporaryDirectory();
        await using ServerProcess server = await ServerProcess.StartInAsync(folder.Path);
        await using ChatClient kim = await ChatClient.ConnectAsync(
            "127.0.0.1",
            server.Port,
            new ChatClientOptions { RequestTimeout = TestTimeouts.Hang, ReconnectDelay = TimeSpan.FromMilliseconds(10) });
        await kim.LoginAsync("kim", "the old one");

        await RunAsync(server, password: "the new one", 0, "passwd", "kim");
        Assert.Empty((await kim.ListRoomsAsync()).Rooms); // an open session goes on
        server.Program.Kill();
        await server.Program.WaitForExitAsync();
        await using ServerProcess again = await ServerProcess.StartInAsync(
            folder.Path, "--port", server.Port.ToString(System.Globalization.CultureInfo.InvariantCulture));

        ChatDisconnectedEventArgs end = await kim.Closed.WaitAsync(TestTimeouts.Hang);
        Assert.Equal("Incorrect name or password. Check both, and log in again.", end.ServerMessage);
        await AssertRefusedAsync(again, "kim", "the old one");
        await using ChatClient anew = await Players.LoginAsync(again, "kim", "the new one");
    }

    [Theory]
    [InlineData(1, "There is no password: ", "add", "kim")]
    [InlineData(2, "'frobnicate' is not a command of accounts", "frobnicate", Traits = ["Tier", "Full"])]
    public async Task What_cannot_be_done_is_said_in_one_line_with_an_exit_code(int exitCode, string expected, params string[] arguments)
    {
        using var folder = new TemporaryDirectory();
        await using var program = ProgramProcess.Start(ProgramFile.Server, folder.Path, ["accounts", .. arguments]);
        program.EndInput();

        Assert.True(await program.WaitForExitAsync() == exitCode, program.Describe());
        Assert.StartsWith(expected, Assert.Single(program.ErrorLines), StringComparison.Ordinal);
        Assert.Empty(program.OutputLines);
    }

    private static async Task<string> RunAsync(ServerProcess server, string? password, int exitCode, params string[] arguments)
    {
        await using var program =
            ProgramProcess.Start(ProgramFile.Server, server.Directory, [
                "accounts", .. arguments, "--Accounts:PasswordIterations=1000", "--Accounts:MinPasswordLength=1",
            ]);
        if (password is not null)
        {
            await program.TypeAsync(password);
        }

        Assert.True(await program.WaitForExitAsync() == exitCode, program.Describe());
        return string.Join('\n', program.OutputLines);
    }

    private static async Task AssertRefusedAsync(ServerProcess server, string name, string password)
    {
        ChatErrorException error = await Assert.ThrowsAsync<ChatErrorException>(() => Players.LoginAsync(server, name, password));
        Assert.Equal(ErrorCode.LoginRefused, error.Code);
    }
}
