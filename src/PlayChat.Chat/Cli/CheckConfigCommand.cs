namespace PlayChat.Chat.Cli;

/// <summary><c>check-config</c>: says whether the server would accept its configuration, without starting it.</summary>
/// <remarks>The check returns the settings that differ from the defaults.</remarks>
internal sealed class CheckConfigCommand(
    Func<CommandLine, Task<IReadOnlyList<string>>> check, TextWriter output, TextWriter error)
{
    /// <summary>The first argument of the program that means this.</summary>
    public const string Word = "check-config";

    private const string Help = """
        Usage: PlayChat.Server check-config [--config FILE] [--KEY=VALUE ...]

        Checks the configuration as a start with the same options does, certificates included, and prints the settings that
        differ from the defaults, secrets as ***. It listens nowhere, writes no file and opens no database: run it before you
        start, restart or reload a server.

        Exit codes: 0 valid, 1 invalid (each problem is printed), 2 the command line is wrong.

        """;

    /// <param name="args">What follows <see cref="Word"/>: the options of the server.</param>
    /// <returns>One of <see cref="ExitCode"/>.</returns>
    public async Task<int> RunAsync(IReadOnlyList<string> args)
    {
        try
        {
            CommandLine commandLine = CommandLine.Parse(args);
            if (commandLine.ShowHelp)
            {
                await output.WriteAsync(Help.ReplaceLineEndings("\n"));
                return ExitCode.Success;
            }

            IReadOnlyList<string> settings = await check(commandLine);
            await output.WriteLineAsync(
                "The configuration is valid." + (settings.Count == 0 ? " All settings have their defaults." : " Other than the defaults:"));
            foreach (string setting in settings)
            {
                await output.WriteLineAsync("  " + setting);
            }

            return ExitCode.Success;
        }
        catch (Exception e) when (e is StartException or OptionsException or StorageException)
        {
            await error.WriteLineAsync(e.Message);
            return e is StartException { IsBadArgument: true } ? ExitCode.BadArguments : ExitCode.Failed;
        }
    }
}
