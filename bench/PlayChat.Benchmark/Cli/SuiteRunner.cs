namespace PlayChat.Benchmark.Cli;

/// <summary>Runs a plan, from the first run to the report and the exit code.</summary>
internal sealed class SuiteRunner(IReadOnlyList<string> commandLine, TextWriter output, ExperimentRunner.RunChild? start = null)
{
    /// <returns>The exit code: 0 when every run of PlayChat was good and no condition is true.</returns>
    public async Task<int> RunAsync(ExperimentPlan plan, CancellationToken interrupted)
    {
        DateTimeOffset startedAt = DateTimeOffset.UtcNow;
        long began = Stopwatch.GetTimestamp();
        await ReportFiles.WriteAsync(Create([]), plan.Settings.ReportFolder); // a folder that cannot be written is known at once
        SuiteReport report = Create(await View.ShowAsync(output, view =>
            new ExperimentRunner(plan.Settings, view, start).RunAsync(plan.Experiments, interrupted, WriteAsync)));
        try
        {
            report = report with { Verdicts = Verdict.Judge(plan.Settings.Conditions, report.Results) };
        }
        finally
        {
            await ReportFiles.WriteAsync(report, plan.Settings.ReportFolder); // also when a condition has a wrong key
            await SayAsync(report, plan);
        }

        return ExitCodeOf(report);

        SuiteReport Create(IReadOnlyList<ExperimentResult> results) => new(
            results, CommandLineText.Of(commandLine), startedAt, Stopwatch.GetElapsedTime(began).TotalSeconds, MachineInfo.ToJson())
        {
            Rounds = plan.Settings.Rounds,
            Interrupted = interrupted.IsCancellationRequested,
            NotRun = plan.Experiments.Sum(static experiment => experiment.Runs.Count) - results.Sum(static result => result.Runs.Count),
            Skipped = plan.Skipped,
        };

        // After each experiment, so that a crash costs at most one. A write that fails here is ignored: the last write reports it.
        async Task WriteAsync(IReadOnlyList<ExperimentResult> results)
        {
            try
            {
                await ReportFiles.WriteAsync(Create(results), plan.Settings.ReportFolder);
            }
            catch (RunFailedException)
            {
            }
        }
    }

    // A problem of another server is reported, but only PlayChat's own make the program fail.
    private static int ExitCodeOf(SuiteReport report) =>
        report.Problems.Any(static problem => Subjects.IsOurs(problem.Subject)) || report.Verdicts.Any(static verdict => verdict.Failed)
            ? ExitCodes.Failed
            : report.Interrupted ? ExitCodes.Interrupted : 0;

    private async Task SayAsync(SuiteReport report, ExperimentPlan plan)
    {
        IEnumerable<string> lines = report.Results.SelectMany(SuiteText.Sweeps)
            .Concat(SuiteText.State(report))
            .Concat(report.Problems.Select(static problem => $"Problem: {problem.Text}"))
            .Append($"Report: {Path.Combine(plan.Settings.ReportFolder, "index.html")}");
        Ratio[] ratios = report.Results.SelectMany(SuiteText.Judged).ToArray();
        if (ratios.Length > 0)
        {
            await output.WriteLineAsync($"\n{SuiteText.AboutRatios}\n{SuiteText.Ratios(ratios).ToMarkdown()}");
        }

        await output.WriteLineAsync(string.Join('\n', lines));
    }
}
