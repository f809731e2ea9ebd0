using System.Diagnostics;
using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Failures;
using PlayChat.Benchmark.Reports;
using PlayChat.Benchmark.Reports.Files;
using PlayChat.Benchmark.Reports.Suite;
using PlayChat.Benchmark.Views;

namespace PlayChat.Benchmark.Cli;

/// <summary>Runs a plan, from the first run to the report and the exit code.</summary>
/// <param name="commandLine">The command line, for the report.</param>
/// <param name="output">Where the plan is shown.</param>
/// <param name="start">Starts a run; a test's own.</param>
internal sealed class ExperimentProgram(IReadOnlyList<string> commandLine, TextWriter output, ExperimentRunner.RunChild? start = null)
{
    /// <summary>Runs.</summary>
    /// <returns>The exit code: 0 when every run of PlayChat was good and no condition is true.</returns>
    /// <exception cref="UsageException">A condition names a figure that no run has. The report is written all the same.</exception>
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
            wrongKey = e.Message; // reported after the report is written, so that a typing mistake does not cost hours of measuring
        }

        await SuiteFiles.WriteAsync(report, plan.Settings.ReportFolder);
        await SayAsync(report);
        return wrongKey is null ? ExitCodeOf(report) : throw new UsageException(wrongKey);

        SuiteReport Create(IReadOnlyList<ExperimentResult> results)
        {
            var made = new SuiteReport(
                plan,
                results,
                CommandLineText.Of(commandLine),
                startedAt,
                Stopwatch.GetElapsedTime(began),
                interrupted.IsCancellationRequested);
            return made with { Comparison = plan.Settings.Earlier is { } earlier ? Comparison.Of(earlier, results, made.Machine) : null };
        }
    }

    // After each experiment, so that a crash costs at most one. A write that fails here is ignored: the last write reports it.
    private static async Task WriteAsync(SuiteReport report)
    {
        try
        {
            await SuiteFiles.WriteAsync(report, report.Plan.Settings.ReportFolder);
        }
        catch (RunFailedException)
        {
        }
    }

    // A problem of another server is reported, but only PlayChat's own make the program fail.
    private static int ExitCodeOf(SuiteReport report) => report.OwnProblems.Any() || report.Verdicts.Any(static verdict => verdict.Failed)
        ? ExitCodes.Failed
        : report.Interrupted ? ExitCodes.Interrupted : 0;

    private async Task<IReadOnlyList<ExperimentResult>> RunAllAsync(
        ExperimentPlan plan, Func<IReadOnlyList<ExperimentResult>, Task> ended, CancellationToken interrupted)
    {
        if (!Terminal.CanRedraw(output))
        {
            return await RunAsync(new PlainExperimentView(output));
        }

        using StatusArea status = Terminal.CreateStatus(output);
        return await RunAsync(new LiveExperimentView(status));

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
