using Microsoft.Extensions.Configuration;
using PlayChat.Server.ChatLog;
using PlayChat.Server.Configuration;
using PlayChat.Storage;

namespace PlayChat.Server.Cli;

/// <summary>What the operator's commands have in common: they work on the database of the server, which may run meanwhile.</summary>
internal static class OperatorCommand
{
    /// <summary>Parses the arguments, prints the help, or opens the database and does the work; errors are one line each.</summary>
    /// <typeparam name="TArguments">The command line of the command.</typeparam>
    /// <param name="parse">Throws <see cref="StartException"/> for a wrong command line.</param>
    /// <param name="options">The keys of the server in the command line.</param>
    /// <param name="makes">Whether the command makes something, so that it may begin a new database.</param>
    /// <param name="help">Printed for --help.</param>
    /// <param name="work">Returns the line that says what was done; throws <see cref="StartException"/> when it was not.</param>
    /// <param name="output">What was done.</param>
    /// <param name="error">Why it was not.</param>
    /// <returns>One of <see cref="ExitCode"/>.</returns>
    public static async Task<int> RunAsync<TArguments>(
        Func<TArguments> parse,
        Func<TArguments, CommandLine> options,
        Func<TArguments, bool> makes,
        string help,
        Func<TArguments, ServerSettings, IChatStore, Task<string>> work,
        TextWriter output,
        TextWriter error)
    {
        TArguments arguments;
        try
        {
            arguments = parse();
        }
        catch (StartException e)
        {
            await error.WriteLineAsync(e.Message);
            return ExitCode.BadArguments;
        }

        if (options(arguments).ShowHelp)
        {
            await output.WriteAsync(help.ReplaceLineEndings("\n"));
            return ExitCode.Success;
        }

        try
        {
            ServerSettings settings = ServerConfiguration.Load(
                new ConfigurationManager(), options(arguments), ServerConfiguration.SettingsFile, Environment.GetEnvironmentVariables());
            bool isThere = settings.Storage.Provider != StorageProvider.Sqlite || File.Exists(settings.Storage.Path);
            if (!isThere && !makes(arguments))
            {
                // An empty database here would hide that the command runs in the wrong folder.
                throw new StartException(
                    $"There is no database '{Path.GetFullPath(settings.Storage.Path)}'. Run the command in the server's folder, or name "
                        + "the database by --Storage:Path=FILE, or the server's configuration by --config FILE.");
            }

            await using IChatStore store = ChatStores.Create(settings.Storage);
            await store.InitializeAsync();
            await output.WriteLineAsync(await work(arguments, settings, store));
            return ExitCode.Success;
        }
        catch (Exception e) when (e is StartException or StorageException)
        {
            await error.WriteLineAsync(e.Message);
            return ExitCode.Failed;
        }
    }
}
