using PlayChat.Chat.Cli;
using PlayChat.Server.Tests.Chat;
using PlayChat.Server.Tests.ChatLog;
using PlayChat.Server.Tests.Operations;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Cli;

public sealed class AdminCommandTests
{
    private const string Commands =
        "status, sessions, rooms, closes, heap, close, notice, remove-room, drain, log-level, limits, accounts, bans, webhooks";

    private const string AccountCommands = "add, passwd, disable, enable, export, remove";

    [Theory]
    [InlineData("'nosuch' is not a command of admin. Use one of " + Commands + ".", "nosuch")]
    [InlineData("'nosuch' is not a command of admin. Use one of " + Commands + ".", "nosuch", "--json")]
    [InlineData("admin needs a command: one of " + Commands + ".")]
    [InlineData("'nosuch' is not a command of admin accounts. Use one of " + AccountCommands + ".", "accounts", "nosuch")]
    [InlineData("'nosuch' is not a command of admin bans. Use one of add, remove.", "bans", "nosuch")]
    [InlineData("There is no option --nosuch of admin status.", "status", "--nosuch")]
    [InlineData("There is no option --nosuch of admin.", "--nosuch")]
    [InlineData(
        "Name a dead letter by its id, or all by --all, or those of a webhook by --target.", "webhooks", "delete")]
    [InlineData(
        "Name a dead letter by its id, or all by --all, or those of a webhook by --target.", "webhooks", "retry", "7", "--all")]
    [InlineData("drain stops the server. Confirm with --yes.", "drain")]
    public async Task A_wrong_command_line_names_the_word_and_the_commands(string expected, params string[] args)
    {
        using var error = new StringWriter { NewLine = "\n" };
        var command = new AdminCommand(new ConsoleOperatorInput(), TextWriter.Null, error);

        Assert.Equal(ExitCode.BadArguments, await command.RunAsync(args));

        Assert.Equal($"{expected} admin --help says more.\n", error.ToString());
    }

    [Fact]
    public async Task An_export_and_an_erasure_take_as_long_as_they_need_and_other_commands_do_not()
    {
        using var folder = new TemporaryDirectory();
        string settings = folder.Combine("settings.json");
        await File.WriteAllTextAsync(settings, "{}");
        var gate = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var store = new FaultyStore();
        await using TestServer server = await TestServer.StartInAsync(
            null, store.Wrap, "--Operations:Enabled=true", "--Operations:Address=127.0.0.1:0");
        await server.Store.CreateAccountAsync("Ann", passwordHash: null, DateTimeOffset.UnixEpoch);
        await server.Store.CreateAccountAsync("Bob", passwordHash: null, DateTimeOffset.UnixEpoch);
        (store.BansWaitFor, store.DirectWaitsFor) = (gate.Task, gate.Task);
        using HttpClient http = server.Http();

        Task<(int Code, string Error)> export = RunAsync("accounts", "export", "Ann");
        Task<(int Code, string Error)> erasure = RunAsync("accounts", "remove", "Bob", "--texts", "--yes");
        (int code, string error) = await RunAsync("bans");
        gate.SetResult();

        Assert.Equal(ExitCode.Failed, code);
        Assert.Contains("did not answer within", error, StringComparison.Ordinal);
        Assert.Equal((ExitCode.Success, ""), await export);
        Assert.Equal((ExitCode.Success, ""), await erasure);

        async Task<(int Code, string Error)> RunAsync(params string[] args)
        {
            using var problems = new StringWriter();
            var command = new AdminCommand(new ConsoleOperatorInput(), TextWriter.Null, problems, TimeSpan.FromMilliseconds(300));
            int exit = await command.RunAsync([.. args, "--url", http.BaseAddress!.ToString(), "--config", settings])
                .WaitAsync(TestTimeouts.Hang);
            return (exit, problems.ToString());
        }
    }
}
