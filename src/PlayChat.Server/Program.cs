using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Hosting.WindowsServices;
using PlayChat.Core.Hosting;
using PlayChat.Core.Transport;
using PlayChat.Server.Cli;
using PlayChat.Server.Configuration;
using PlayChat.Server.Hosting;
using PlayChat.Storage;

if (WindowsServiceHelpers.IsWindowsService())
{
    Environment.CurrentDirectory = AppContext.BaseDirectory; // Windows starts a service in its own system folder
}

try
{
    if (args.FirstOrDefault() == AccountsCommand.Word)
    {
        return await new AccountsCommand(new ConsoleOperatorInput(), Console.Out, Console.Error, TimeProvider.System).RunAsync(args[1..]);
    }

    if (args.FirstOrDefault() == BansCommand.Word)
    {
        return await new BansCommand(Console.Out, Console.Error, TimeProvider.System).RunAsync(args[1..]);
    }

    if (args.FirstOrDefault() == AdminCommand.Word)
    {
        return await new AdminCommand(new ConsoleOperatorInput(), Console.Out, Console.Error).RunAsync(args[1..]);
    }

    if (args.FirstOrDefault() == CheckConfigCommand.Word)
    {
        return await new CheckConfigCommand(ServerHost.CheckAsync, Console.Out, Console.Error).RunAsync(args[1..]);
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
