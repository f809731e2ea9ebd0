using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting.WindowsServices;
using PlayChat.Core.Transport;
using PlayChat.Server.Cli;
using PlayChat.Server.Hosting;

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
        case CheckConfigCommand.Word:
            return await new CheckConfigCommand(ServerHost.CheckAsync, Console.Out, Console.Error).RunAsync(args[1..]);
        case { } word when CommandLines.IsSuggest(word):
            return CommandLines.Suggest(args, Console.Out, Accounts().Command, Bans().Command, Admin().Command);
    }

    CommandLine commandLine = CommandLine.Parse(args);
    if (commandLine.ShowHelp)
    {
        Console.Write(HelpText.Create());
        return 0;
    }

    if (commandLine.ShowVersion)
    {
        Console.WriteLine(ServerVersion.Build);
        return 0;
    }

    IHost host = ServerHost.Build(commandLine, Console.Out);
    ServerExit exit;
    await using ((IAsyncDisposable)host)
    {
        IServiceProvider services = host.Services;
        exit = services.GetRequiredService<ServerExit>();
        try
        {
            await host.StartAsync();
        }
        catch (OperationCanceledException) when (
            services.GetRequiredService<IHostApplicationLifetime>().ApplicationStopping.IsCancellationRequested)
        {
            services.GetRequiredService<StartReport>().TellStoppedEarly();
            return 0; // as any stop that was asked for
        }

        services.GetRequiredService<StartReport>().TellReady();
        await host.WaitForShutdownAsync();
    }

    return exit.Code;
}
catch (Exception e) when (e is StartException or OptionsException or ListenFailedException or StorageException)
{
    // The message is made for the person who started the server; a stack trace would hide it.
    await Console.Error.WriteLineAsync(e.Message);
    return e is StartException { IsBadArgument: true } ? ExitCode.BadArguments : ExitCode.Failed;
}

static AccountsCommand Accounts() => new(new ConsoleOperatorInput(), Console.Out, Console.Error, TimeProvider.System);
static BansCommand Bans() => new(Console.Out, Console.Error, TimeProvider.System);
static AdminCommand Admin() => new(new ConsoleOperatorInput(), Console.Out, Console.Error);
