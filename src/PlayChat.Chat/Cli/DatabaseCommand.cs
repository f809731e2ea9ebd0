using System.CommandLine;
using Microsoft.Extensions.Configuration;
using PlayChat.Chat.ChatLog;

namespace PlayChat.Chat.Cli;

/// <summary>What <c>accounts</c> and <c>bans</c> have in common: they work on the database of the server, which may run.</summary>
internal abstract class DatabaseCommand(string word, string description, string notes, TextWriter output, TextWriter error)
{
    private const string ExitCodes = """


        Keys are those of the server (PlayChat.Server --help), such as --Storage:Path=FILE, from the same sources. Those of section Storage
        say where the data is, relative to the current directory; --config FILE names the configuration.

        Exit codes: 0 done, 1 not done (the reason is printed as one line), 2 the command line is wrong.

        """;

    private CommandLine _keys = new();

    public Command Command { get; } = new(word, description);

    /// <param name="command">The subcommand.</param>
    /// <param name="work">Returns the line that says what was done; throws <see cref="StartException"/> when it was not.</param>
    /// <param name="makes">Whether it makes something, so that it may begin a new database; null for no.</param>
    protected void Add(
        Command command, Func<ParseResult, ServerSettings, IChatStore, Task<string>> work, Func<ParseResult, bool>? makes = null)
    {
        command.SetAction((result, _) => RunAsync(result, work, makes));
        Command.Add(command);
    }

    /// <param name="args">What follows the word.</param>
    /// <returns>One of <see cref="ExitCode"/>.</returns>
    public async Task<int> RunAsync(IReadOnlyList<string> args)
    {
        try
        {
            _keys = CommandLine.Parse([.. args.Where((_, i) => IsOfServer(args, i))]);
        }
        catch (StartException e)
        {
            await error.WriteLineAsync(e.Message);
            return ExitCode.BadArguments;
        }

        return await CommandLines.RunAsync(
            Command, [.. args.Where((_, i) => !IsOfServer(args, i))], output, error, notes + ExitCodes);
    }

    // A key of the server, or the value behind one. System.CommandLine reads a colon as the end of an option's name.
    private static bool IsOfServer(IReadOnlyList<string> args, int index) => CommandLine.IsKey(args[index])
        || (index > 0 && CommandLine.IsKey(args[index - 1]) && !args[index - 1].Contains('=', StringComparison.Ordinal)
            && !args[index].StartsWith("--", StringComparison.Ordinal));

    private async Task<int> RunAsync(
        ParseResult result, Func<ParseResult, ServerSettings, IChatStore, Task<string>> work, Func<ParseResult, bool>? makes)
    {
        try
        {
            ServerSettings settings = ServerConfiguration.Load(new ConfigurationManager(), _keys);
            bool isThere = settings.Storage.Provider != StorageProvider.Sqlite || File.Exists(settings.Storage.Path);
            if (!isThere && makes?.Invoke(result) != true)
            {
                // An empty database here would hide that the command runs in the wrong folder.
                throw new StartException(
                    $"There is no database '{Path.GetFullPath(settings.Storage.Path)}'. Run the command in the server's folder, or name "
                        + "the database by --Storage:Path=FILE, or the server's configuration by --config FILE.");
            }

            await using IChatStore store = ChatStores.Create(settings.Storage);
            await store.InitializeAsync();
            await output.WriteLineAsync(await work(result, settings, store));
            return ExitCode.Success;
        }
        catch (Exception e) when (e is StartException or StorageException)
        {
            await error.WriteLineAsync(e.Message);
            return ExitCode.Failed;
        }
    }
}
