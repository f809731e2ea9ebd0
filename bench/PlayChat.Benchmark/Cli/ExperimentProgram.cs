using System.Diagnostics;
using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Reports;
using PlayChat.Benchmark.Reports.Suite;
using PlayChat.Benchmark.Run;
using Spectre.Console;

namespace PlayChat.Benchmark.Cli;

/// <summary>Carries a plan out, from the first run to the report and the exit code.</summary>
/// <param name="commandLine">How it was asked for.</param>
/// <param name="output">Where it shows itself.</param>
/// <param name="start">Starts a run; a test's own.</param>
internal sealed class ExperimentProgram(IReadOnlyList<string> commandLine, TextWriter output, ExperimentRunner.RunChild? start = null)
{
    /// <summary>Runs.</summary>
    /// <returns>The exit code: 0 when every run of PlayChat was as it must be, and no condition is met.</returns>
    /// <exception cref="UsageException">A condition names no figure; the report is written all the same.</exception>
    public async Task<int> RunAsync(ExperimentPlan plan, CancellationToken interrupted)
    {
        if (plan.Settings.Earlier is { } older)
        {
            Comparison.Check(older, experiments: true);
        }

        DateTimeOffset startedAt = DateTimeOffset.UtcNow;
        long began = Stopwatch.GetTimestamp();
        SuiteReport report = Create(await RunAllAsync(plan, results => WriteAsync(Create(results)), interrupted));
        string? wrongKey = null;
        try
        {
            report = report with { Verdicts = Verdict.Judge(plan.Settings.Conditions, report.Results) };
        }
        catch (UsageException e)
        {
            wrongKey = e.Message; // hours of measuring are not lost for a typing mistake
        }

        await report.WriteAsync(plan.Settings.ReportFolder);
        await SayAsync(report);
        return wrongKey is null ? ExitCode(report) : throw new UsageException(wrongKey);

        SuiteReport Create(IReadOnlyList<ExperimentResult> results)
        {
            var made = new SuiteReport(
                plan, results, CommandLineText.Of(commandLine), startedAt, Stopwatch.GetElapsedTime(began), interrupted.IsCancellationRequested);
            return made with { Comparison = plan.Settings.Earlier is { } earlier ? Comparison.Of(earlier, results, made.Machine) : null };
        }
    }

    // After each experiment, so that what ends this program costs one at most. What cannot be written now is said by the last.
    private static async Task WriteAsync(SuiteReport report)
    {
        try
        {
            await report.WriteAsync(report.Plan.Settings.ReportFolder);
        }
        catch (RunFailedException)
        {
        }
    }

    // What is wrong with a server that PlayChat is compared with is told, and is not PlayChat's.
    private static int ExitCode(SuiteReport report) => report.OwnProblems.Any() || report.Verdicts.Any(static verdict => verdict.Failed)
        ? BenchmarkProgram.Failed
        : report.Interrupted ? LoadRunner.Interrupted : 0;

    private async Task<IReadOnlyList<ExperimentResult>> RunAllAsync(
        ExperimentPlan plan, Func<IReadOnlyList<ExperimentResult>, Task> ended, CancellationToken interrupted)
    {
        if (!Terminal.CanRedraw(output))
        {
            return await RunAsync(new PlainExperimentView(output));
        }

        IAnsiConsole console = AnsiConsole.Console;
        return await console.Live(new Text(string.Empty)).AutoClear(true).StartAsync(display => RunAsync(new LiveExperimentView(console, display)));

        Task<IReadOnlyList<ExperimentResult>> RunAsync(IExperimentView view) =>
            new ExperimentRunner(plan.Settings, view, start).RunAsync(plan.Experiments, interrupted, ended);
    }

    private async Task SayAsync(SuiteReport report)
    {
        foreach (ExperimentResult result in report.Results)
        {
            await output.WriteLineAsync(ResultText.Format(result));
        }

        if (report.Comparison is { } comparison)
        {
            await output.WriteLineAsync(comparison.Format());
        }

        string[] lines =
        [
            .. SuiteText.State(report),
            .. report.Problems.Select(static problem => $"Problem: {problem}"),
            .. report.Verdicts.Select(static verdict => verdict.ToString()),
            $"Report: {Path.Combine(report.Plan.Settings.ReportFolder, "index.html")}",
        ];
        await output.WriteLineAsync(string.Join('\n', lines));
    }
}
