using System.CommandLine;
using System.Runtime.InteropServices;
using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Run;

namespace PlayChat.Benchmark.Cli;

/// <summary>The program: parses, runs one command, and turns what can go wrong into one line and an exit code.</summary>
internal static class BenchmarkProgram
{
    /// <summary>The exit code of a run that cannot be as asked for.</summary>
    public const int BadUsage = 2;

    /// <summary>The exit code of a run that failed, or lost something.</summary>
    public const int Failed = 1;

    /// <summary>Runs.</summary>
    /// <param name="arguments">The command line.</param>
    /// <param name="output">Where the run shows itself.</param>
    /// <param name="errors">Where the one line goes.</param>
    /// <param name="run">Carries out what was parsed; a test's own, or <see cref="LoadRunner"/>.</param>
    /// <param name="experiment">The same for experiments; a test's own, or <see cref="ExperimentProgram"/>.</param>
    public static async Task<int> RunAsync(
        string[] arguments,
        TextWriter output,
        TextWriter errors,
        Func<LoadRun, CancellationToken, Task<int>>? run = null,
        Func<ExperimentPlan, CancellationToken, Task<int>>? experiment = null)
    {
        RootCommand root = CreateRoot(
            arguments,
            run ?? new LoadRunner(string.Join(' ', arguments), output).RunAsync, CheckedAsync);
        ParseResult result = root.Parse(arguments.Length == 0 ? ["--help"] : arguments);
        if (result.Errors.Count > 0)
        {
            await errors.WriteLineAsync($"{result.Errors[0].Message} See --help.");
            return BadUsage;
        }

        using var interrupt = new CancellationTokenSource();
        using PosixSignalRegistration onInterrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, context => OnSignal(context, interrupt));
        using PosixSignalRegistration onTerminate = PosixSignalRegistration.Create(PosixSignal.SIGTERM, context => OnSignal(context, interrupt));
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
            return BadUsage;
        }
        catch (RunFailedException e)
        {
            await errors.WriteLineAsync(e.Message);
            return Failed;
        }
        catch (OperationCanceledException) when (interrupt.IsCancellationRequested)
        {
            await errors.WriteLineAsync("Interrupted before the load had begun: there is nothing to report.");
            return LoadRunner.Interrupted;
        }

        async Task<int> CheckedAsync(ExperimentPlan plan, CancellationToken token)
        {
            await ExperimentPlans.CheckAsync(plan);
            return await (experiment ?? new ExperimentProgram(arguments, output).RunAsync)(plan, token);
        }
    }

    private static RootCommand CreateRoot(string[] arguments, Func<LoadRun, CancellationToken, Task<int>> run, Func<ExperimentPlan, CancellationToken, Task<int>> experiment)
    {
        var root = new RootCommand(
            """
            Measures a PlayChat server under load. It starts the server itself, as a process of its own with a temporary
            database, or uses a running one with --connect. Exit code: 0 when everything arrived, once and in order; 1 when
            not, or the server failed; 2 when the run cannot be as asked for; 130 when it was interrupted.

            Examples:
              echo --ccu 1000 --inflight 200 --size 64 --warmup 2 --duration 10
              chat --clients 500 --rooms 10 --rps 10 --warmup 5 --duration 30 --json chat.json
            """);
        root.Subcommands.Add(new EchoCommand().Create(run));
        root.Subcommands.Add(new ChatCommand().Create(run));
        root.Subcommands.Add(new BroadcastCommand().Create(run));
        root.Subcommands.Add(new CapacityCommand().Create(run));
        root.Subcommands.Add(new ClassroomCommand().Create(run));
        root.Subcommands.Add(new RampCommand().Create(run));
        root.Subcommands.Add(new ServeCommand().Create());
        root.Subcommands.Add(new TicksCommand().Create(string.Join(' ', arguments)));
        root.Subcommands.Add(new StreamCommand().Create(experiment));
        root.Subcommands.Add(new RequestReplyCommand().Create(experiment));
        root.Subcommands.Add(new ChatFanoutCommand().Create(experiment));
        root.Subcommands.Add(new ClassroomBroadcastCommand().Create(experiment));
        root.Subcommands.Add(new ConnectionRampCommand().Create(experiment));
        root.Subcommands.Add(new SuiteCommand().Create(experiment));
        return root;
    }

    // One Ctrl+C may arrive twice ("dotnet run" and a shell's timeout pass it on), so a second signal means nothing: the run ends
    // within seconds, and only its orderly end takes the server with it.
    private static void OnSignal(PosixSignalContext context, CancellationTokenSource interrupt)
    {
        context.Cancel = true;
        interrupt.Cancel();
    }
}
