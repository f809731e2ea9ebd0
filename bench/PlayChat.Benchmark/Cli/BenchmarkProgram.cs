using System.CommandLine;

namespace PlayChat.Benchmark.Cli;

/// <summary>The program: parses the command line, runs one command, and turns a failure into one line and an exit code.</summary>
internal static class BenchmarkProgram
{
    /// <param name="run">Runs a load; <see langword="null"/> for <see cref="LoadRunner"/>, or a test's own.</param>
    /// <param name="experiment">Runs experiments; <see langword="null"/> for <see cref="SuiteRunner"/>, or a test's own.</param>
    public static async Task<int> RunAsync(
        string[] arguments,
        TextWriter output,
        TextWriter errors,
        Func<LoadRun, CancellationToken, Task<int>>? run = null,
        Func<ExperimentPlan, CancellationToken, Task<int>>? experiment = null)
    {
        // Numbers have a point in the command line, in what is shown and in files: the library would read 0.5 as 5 where a comma is usual.
        CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
        RootCommand root = CreateRoot(
            arguments,
            run ?? new LoadRunner(string.Join(' ', arguments), output).RunAsync, CheckedAsync);
        ParseResult result = root.Parse(arguments.Length == 0 ? ["--help"] : arguments);
        if (result.Errors.Count > 0)
        {
            await errors.WriteLineAsync($"{ErrorText(result)} See --help.");
            return ExitCodes.InvalidArguments;
        }

        using var interrupt = new CancellationTokenSource();
        using PosixSignalRegistration onInterrupt = PosixSignalRegistration.Create(
            PosixSignal.SIGINT, context => OnSignal(context, interrupt));
        using PosixSignalRegistration onTerminate = PosixSignalRegistration.Create(
            PosixSignal.SIGTERM, context => OnSignal(context, interrupt));
        var invocation = new InvocationConfiguration
        {
            Output = output,
            Error = errors,
            EnableDefaultExceptionHandler = false,
            ProcessTerminationTimeout = null, // signals are handled here
        };
        try
        {
            return await result.InvokeAsync(invocation, interrupt.Token);
        }
        catch (UsageException e)
        {
            await errors.WriteLineAsync(e.Message);
            return ExitCodes.InvalidArguments;
        }
        catch (RunFailedException e)
        {
            await errors.WriteLineAsync(e.Message);
            return ExitCodes.Failed;
        }
        catch (OperationCanceledException) when (interrupt.IsCancellationRequested)
        {
            await errors.WriteLineAsync("Interrupted before the load began: there is nothing to report.");
            return ExitCodes.Interrupted;
        }

        async Task<int> CheckedAsync(ExperimentPlan plan, CancellationToken token)
        {
            await ExperimentCommands.CheckAsync(plan);
            return await (experiment ?? new SuiteRunner(arguments, output).RunAsync)(plan, token);
        }
    }

    // The library says "Required command was not provided" when the first word is no command.
    private static string ErrorText(ParseResult result) =>
        result.CommandResult.Command is RootCommand && result.UnmatchedTokens.Count > 0 && !result.UnmatchedTokens[0].StartsWith('-')
            ? $"Unknown command '{result.UnmatchedTokens[0]}'."
            : result.Errors[0].Message;

    private static RootCommand CreateRoot(
        string[] arguments,
        Func<LoadRun, CancellationToken, Task<int>> run,
        Func<ExperimentPlan, CancellationToken, Task<int>> experiment)
    {
        var root = new RootCommand(
            """
            Measures a PlayChat server under load. The benchmark starts the server as a separate process with a temporary
            database, or uses a running server with --connect. Exit code: 0 when every message arrived, once and in order; 1 when
            not, or when the server failed; 2 for invalid arguments; 130 when the run was interrupted.

            Examples:
              echo --ccu 1000 --inflight 200 --size 64 --warmup 2 --duration 10
              chat --clients 500 --rooms 10 --rps 10 --warmup 5 --duration 30 --json chat.json
              suite --quick --report report
              compare earlier.json later.json
            """);
        foreach (Command command in LoadCommands.Create(run)
            .Concat(ExperimentCommands.Create(experiment))
            .Concat(ServerCommands.Create())
            .Append(LimitCommand.Create(string.Join(' ', arguments))))
        {
            root.Subcommands.Add(command);
        }

        return root;
    }

    // A second signal is ignored: one Ctrl+C may arrive twice, because "dotnet run" and a shell's timeout pass it on.
    // The run ends within seconds, and only an orderly end stops the server too.
    private static void OnSignal(PosixSignalContext context, CancellationTokenSource interrupt)
    {
        context.Cancel = true;
        interrupt.Cancel();
    }
}
