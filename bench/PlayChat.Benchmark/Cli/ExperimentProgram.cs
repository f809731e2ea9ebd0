using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Reports;
using PlayChat.Benchmark.Run;
using Spectre.Console;

namespace PlayChat.Benchmark.Cli;

/// <summary>Carries a plan out, from the first run to the report and the exit code.</summary>
internal sealed class ExperimentProgram(TextWriter output)
{
    /// <summary>Runs.</summary>
    /// <returns>The exit code: 0 when every run was as it must be, and no condition is met.</returns>
    /// <exception cref="UsageException">A condition names no figure.</exception>
    public async Task<int> RunAsync(ExperimentPlan plan, CancellationToken interrupted)
    {
        IReadOnlyList<ExperimentResult> results = await RunAllAsync(plan, interrupted);
        bool good = results.All(static result => result.Runs.All(static run => run.Problems.Count == 0));
        if (interrupted.IsCancellationRequested)
        {
            return LoadRunner.Interrupted;
        }

        return good ? 0 : BenchmarkProgram.Failed;
    }

    private async Task<IReadOnlyList<ExperimentResult>> RunAllAsync(ExperimentPlan plan, CancellationToken interrupted)
    {
        if (!Terminal.CanRedraw(output))
        {
            return await RunAsync(new PlainExperimentView(output));
        }

        IAnsiConsole console = AnsiConsole.Console;
        return await console.Live(new Text(string.Empty)).AutoClear(true).StartAsync(display => RunAsync(new LiveExperimentView(console, display)));

        Task<IReadOnlyList<ExperimentResult>> RunAsync(IExperimentView view) =>
            new ExperimentRunner(plan.Settings, view).RunAsync(plan.Experiments, interrupted);
    }
}
