using System.Runtime.InteropServices;
using PlayChat.Client.FullScreen;
using PlayChat.Client.Screens;

UserInterfaces.UseUtf8();
(ClientOptions? options, int exitCode) = new CommandLine().Read(args, Console.Out, Console.Error);
if (options is null)
{
    return exitCode;
}

if (options.FullScreen == true && !UserInterfaces.HasTerminal)
{
    Console.Error.WriteLine("--tui needs a terminal for input and output. Leave it out to use the client in a pipe.");
    return ExitCode.BadArguments;
}

TextReader input = UserInterfaces.OpenInput(); // not disposed: that of a terminal would wait for the key that is being read
if (options.PasswordFromInput)
{
    string? password = Console.IsInputRedirected ? input.ReadLine() : null;
    if (!ChatRules.IsPassword(password))
    {
        Console.Error.WriteLine(Console.IsInputRedirected
            ? $"--password-stdin: the first line of the input must be a password of at most {ChatLimits.MaxPasswordBytes} bytes of UTF-8."
            : "--password-stdin needs the input to come from a pipe or a file.");
        return ExitCode.BadArguments;
    }

    options = options with { Password = password };
}

IUserInterface? ui = null;
using var stop = new CancellationTokenSource();
Action<PosixSignalContext> leave = signal =>
{
    // The first one leaves in order; a second one ends the process, whatever still hangs.
    signal.Cancel = !stop.IsCancellationRequested;
    stop.Cancel();
};
Action<PosixSignalContext> interrupted = signal =>
{
    signal.Cancel = ui?.TryDiscardLine() ?? false;
    if (!signal.Cancel)
    {
        leave(signal);
    }
};
using PosixSignalRegistration interrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, interrupted);
using PosixSignalRegistration terminate = PosixSignalRegistration.Create(PosixSignal.SIGTERM, leave);
ui = UserInterfaces.Create(options, input);
return await ChatApp.RunAsync(options, ui, TimeProvider.System, Console.Error, stop.Token);
