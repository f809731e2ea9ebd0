using PlayChat.Core;
using PlayChat.FunctionalTests.Harness;
using PlayChat.Protocol;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests;

/// <summary>The command <c>bans</c> as a process of its own, beside a server that runs.</summary>
public sealed class BanTests
{
    [Fact]
    [Trait("Tier", "Full")]
    public async Task A_banned_player_and_a_banned_address_lose_their_sessions_and_do_not_get_in_while_the_server_runs()
    {
        Assert.SkipUnless(PosixSignals.AreSupported, PosixSignals.SkipReason);
        await using ServerProcess server = await ServerProcess.StartAsync(
            "--Accounts:BanInterval=00:00:01", "--Accounts:PasswordIterations=1000", "--Serilog:WriteTo:0:Name=Console");
        await using ChatClient kim = await Players.LoginAsync(server, "김", "열려라 참깨");
        await using ChatClient lee = await Players.LoginAsync(server, "lee");

        await RunAsync(server, "김 is banned until ", "add", "김", "--for", "1h", "--reason", "도배");
        ChatDisconnectedEventArgs end = await kim.Closed.WaitAsync(TestTimeouts.Hang);
        ChatErrorException refused = await Assert.ThrowsAsync<ChatErrorException>(() => Players.LoginAsync(server, "김", "열려라 참깨"));

        Assert.Equal(CloseReason.LocalClose, end.Reason);
        Assert.Matches("^This account is banned until [0-9: -]+ UTC: 도배\\. Ask the operator of the server\\.$", end.ServerMessage);
        Assert.Equal((ErrorCode.Banned, end.ServerMessage), (refused.Code, refused.Message));
        Assert.InRange(refused.RetryAfter, TimeSpan.FromMinutes(30), TimeSpan.FromHours(1));
        Assert.Empty((await lee.ListRoomsAsync()).Rooms);

        await RunAsync(server, "127.0.0.0/8 is banned without end", "add", "127.0.0.1/8", "--reason", "attacks");
        Assert.Equal(
            "Your address is banned: attacks. Ask the operator of the server.",
            (await lee.Closed.WaitAsync(TestTimeouts.Hang)).ServerMessage);
        ChatConnectionClosedException closed = await Assert.ThrowsAsync<ChatConnectionClosedException>(
            () => Players.LoginAsync(server, "ann"));
        Assert.Contains("Your address is banned: attacks. Ask the operator of the server.", closed.Message, StringComparison.Ordinal);
        Assert.Contains("These bans are in ", await RunAsync(server, "until ", "list"), StringComparison.Ordinal);

        await RunAsync(server, "김 is no longer banned.", "remove", "김");
        await RunAsync(server, "127.0.0.0/8 is no longer banned.", "remove", "127.0.0.1/8");
        server.Program.HangUp();
        await server.Program.WaitForLineAsync(static line => line.Contains("Reloaded: bans.", StringComparison.Ordinal));
        await using ChatClient back = await Players.LoginAsync(server, "김", "열려라 참깨");
    }

    private static async Task<string> RunAsync(ServerProcess server, string expected, params string[] arguments)
    {
        await using var program = ProgramProcess.Start(ProgramFile.Server, server.Directory, ["bans", .. arguments]);

        Assert.True(await program.WaitForExitAsync() == 0, program.Describe());
        string output = string.Join('\n', program.OutputLines);
        Assert.StartsWith(expected, output, StringComparison.Ordinal);
        return output;
    }
}
