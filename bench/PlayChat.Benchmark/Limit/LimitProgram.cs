namespace PlayChat.Benchmark.Limit;

/// <summary>Runs the scenarios, part by part, and shows their tables.</summary>
internal sealed class LimitProgram(LimitOptions options, TextWriter output, TextWriter progress, ExperimentRunner.RunChild start)
{
    /// <returns>The exit code: 0 when every bar that was measured is met.</returns>
    public async Task<int> RunAsync(CancellationToken interrupted)
    {
        int missed = 0;
        foreach (IGrouping<LimitPart, LimitScenario> part in options.Scenarios.GroupBy(static scenario => scenario.Part))
        {
            var rows = new List<LimitRow>();
            foreach (IGrouping<int, LimitScenario> scenarios in part.GroupBy(scenario => Math.Min(scenario.MostRounds, options.Rounds)))
            {
                rows.AddRange(await RunAsync([.. scenarios], scenarios.Key, interrupted));
            }

            missed += rows.Count(static row => row.Missed.Count > 0);
            await output.WriteAsync($"### {part.Key.About}\n\n");
            foreach (IGrouping<string, LimitRow> table in rows.GroupBy(static row => row.Scenario.Columns, StringComparer.Ordinal))
            {
                await output.WriteAsync(LimitRow.Table([.. table]) + "\n");
            }
        }

        await output.WriteAsync(missed > 0 ? $"Rows that miss a bar: {missed}.\n" : "Every bar that was measured is met.\n");
        return interrupted.IsCancellationRequested ? ExitCodes.Interrupted : missed > 0 ? ExitCodes.Failed : 0;
    }

    private async Task<IEnumerable<LimitRow>> RunAsync(LimitScenario[] scenarios, int rounds, CancellationToken interrupted)
    {
        var settings = new ExperimentSettings(rounds, Against: null, ServerCpus: null, ClientCpus: null, string.Empty, []);
        IReadOnlyList<ExperimentResult> results = await View.ShowAsync(
            progress, view => new ExperimentRunner(settings, view, start).RunAsync(scenarios.Select(ToExperiment).ToArray(), interrupted));
        return scenarios.Zip(results).SelectMany(static pair => pair.Second.Runs.Select(run => new LimitRow(pair.First, pair.Second, run)));
    }

    private Experiment ToExperiment(LimitScenario scenario) => new(
        scenario.Name,
        scenario.Part.Name,
        Source: string.Empty,
        scenario.Part.About,
        ServersOf(scenario).Select(server => new ExperimentRun(server, scenario.Name, [scenario.Name, server])).ToArray(),
        Charts: [])
    {
        Figures = LimitRow.Figures,
    };

    // Those of PlayChat only where they take part.
    private IEnumerable<string> ServersOf(LimitScenario scenario) => scenario.Servers.Split(' ').Where(server =>
        !LimitScenarios.OwnServers.Contains(LimitScenarios.WithoutTcp(server), StringComparer.Ordinal)
        || options.Servers.Contains(LimitScenarios.WithoutTcp(server), StringComparer.Ordinal));
}

/// <param name="Servers">Those of <see cref="LimitScenarios.OwnServers"/> that take part.</param>
internal sealed record LimitOptions(
    IReadOnlyList<LimitScenario> Scenarios, IReadOnlyList<string> Servers, int Rounds, double Warmup, double Duration, string Server);
