using System.Runtime.InteropServices;
using System.Text;
using PlayChat.Core.Hosting;
using PlayChat.Core.Transport;
using PlayChat.Protocol;
using TriviaBot;

try
{
    TriviaOptions options = TriviaOptions.Parse(args);
    if (options.ShowHelp)
    {
        Console.Write(TriviaOptions.Help);
        return 0;
    }

    Console.OutputEncoding = Encoding.UTF8;
    using var stop = new CancellationTokenSource();
    using PosixSignalRegistration interrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, Stop);
    using PosixSignalRegistration terminate = PosixSignalRegistration.Create(PosixSignal.SIGTERM, Stop);
    var game = new TriviaGame(QuestionFile.Read(options.Questions), Random.Shared);
    await new QuizMaster(options, game, Console.Out).RunAsync(stop.Token);
    return 0;

    void Stop(PosixSignalContext signal)
    {
        signal.Cancel = !stop.IsCancellationRequested; // a second one ends the process, whatever still hangs
        stop.Cancel();
    }
}
catch (Exception e) when (e is ArgumentException or InvalidDataException or FileNotFoundException or DirectoryNotFoundException)
{
    Console.Error.WriteLine(e.Message);
    return 2;
}
catch (Exception e) when (
    e is ConnectFailedException or ChatErrorException or ChatConnectionClosedException or TimeoutException or OptionsException)
{
    Console.Error.WriteLine(e.Message);
    return 1;
}
