using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting.WindowsServices;
using PlayChat.Chat.Cli;
using PlayChat.Chat.Hosting;
using PlayChat.Core.Transport;

namespace PlayChat.Chat;

/// <summary>
/// The whole program of the chat server: settings from appsettings.json, environment and command line, logs, the commands
/// <c>accounts</c>, <c>bans</c>, <c>admin</c>, <c>keys</c> and <c>check-config</c>, and a stop in order. To run a chat in a host of your
/// own, see <see cref="ChatServiceCollectionExtensions.AddChat"/>.
/// </summary>
public static class ChatProgram
{
    /// <summary>Runs the program to its end.</summary>
    /// <param name="args">The command line; <c>--help</c> lists what it may have.</param>
    /// <param name="configure">Adds rules, logins and packets of your own; <see langword="null"/> for none.</param>
    /// <returns>The exit code: 0 for a stop in order, 1 for a failure, 2 for a command line that is wrong.</returns>
    /// <remarks>A failed start is one line on standard error, and no exception.</remarks>
    public static async Task<int> RunAsync(string[] args, Action<ChatBuilder>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(args);
        if (WindowsServiceHelpers.IsWindowsService())
        {
            Environment.CurrentDirectory = AppContext.BaseDirectory; // Windows starts a service in its own system folder
        }

        try
        {
            switch (args.FirstOrDefault())
            {
                case AccountsCommand.Word:
                    return await Accounts().RunAsync(args[1..]);
                case BansCommand.Word:
                    return await Bans().RunAsync(args[1..]);
                case AdminCommand.Word:
                    return await Admin().RunAsync(args[1..]);
                case KeysCommand.Word:
                    return await Keys().RunAsync(args[1..]);
                case CheckConfigCommand.Word:
                    return await new CheckConfigCommand(ServerHost.CheckAsync, Console.Out, Console.Error).RunAsync(args[1..]);
                case { } word when CommandLines.IsSuggest(word):
                    return CommandLines.Suggest(args, Console.Out, Accounts().Command, Bans().Command, Admin().Command, Keys().Command);
            }

            CommandLine commandLine = CommandLine.Parse(args);
            if (commandLine.ShowHelp)
            {
                Console.Write(HelpText.Create());
                return ExitCode.Success;
            }

            if (commandLine.ShowVersion)
            {
                Console.WriteLine(ServerVersion.Build);
                return ExitCode.Success;
            }

            return await RunAsync(ServerHost.Build(commandLine, Console.Out, configure));
        }
        catch (Exception e) when (e is StartException or OptionsException or ListenFailedException or StorageException)
        {
            // The message is made for the person who started the server; a stack trace would hide it.
            await Console.Error.WriteLineAsync(e.Message);
            return e is StartException { IsBadArgument: true } ? ExitCode.BadArguments : ExitCode.Failed;
        }
    }

    private static async Task<int> RunAsync(IHost host)
    {
        await using var services = (IAsyncDisposable)host;
        var exit = host.Services.GetRequiredService<ServerExit>();
        try
        {
            await host.StartAsync();
        }
        catch (OperationCanceledException) when (
            host.Services.GetRequiredService<IHostApplicationLifetime>().ApplicationStopping.IsCancellationRequested)
        {
            host.Services.GetRequiredService<StartReport>().TellStoppedEarly();
            return ExitCode.Success; // as any stop that was asked for
        }

        host.Services.GetRequiredService<StartReport>().TellReady();
        await host.WaitForShutdownAsync();
        return exit.Code;
    }

    private static AccountsCommand Accounts() => new(new ConsoleOperatorInput(), Console.Out, Console.Error, TimeProvider.System);

    private static BansCommand Bans() => new(Console.Out, Console.Error, TimeProvider.System);

    private static AdminCommand Admin() => new(new ConsoleOperatorInput(), Console.Out, Console.Error);

    private static KeysCommand Keys() => new(Console.Out, Console.Error);
}
