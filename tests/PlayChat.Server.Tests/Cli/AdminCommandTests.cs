using PlayChat.Chat.Cli;

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
}
