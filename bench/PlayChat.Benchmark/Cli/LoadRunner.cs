namespace PlayChat.Benchmark.Cli;

/// <summary>Runs a load: starts the server, runs the load, writes the report, and removes what it created.</summary>
internal sealed class LoadRunner(string commandLine, TextWriter output)
{
    /// <returns>The exit code: 0 when every message arrived, once and in order.</returns>
    public async Task<int> RunAsync(LoadRun run, CancellationToken interrupted)
    {
        SystemLimits.Check(run.Connections, run.ConnectAtOnce);
        return await View.ShowAsync(output, view => RunAsync(run, view, interrupted));
    }

    private async Task<int> RunAsync(LoadRun run, View view, CancellationToken interrupted)
    {
        await using ClusterProcesses? cluster = run.Cluster is null
            ? null
            : await StartClusterAsync(run.Server, run.Cluster, view, interrupted);
        await using ServerProcess? server = run.Target.Address is null && cluster is null
            ? await StartServerAsync(run.Server, view, interrupted)
            : null;
        ServerAddress address = cluster?.Addresses[0] ?? server?.Address ?? run.Target.Address!;
        ClusterWatch? watch = cluster?.Watch();
        string? kpiPath = server?.KpiPath ?? run.Target.ServerKpiPath;
        KpiFile? kpis = kpiPath is null ? null : new KpiFile(kpiPath);

        IScenario scenario = run.CreateScenario(run.Cluster is { Nodes: > 0 } ? cluster!.Addresses : []);
        RunReport report;
        await using (scenario)
        {
            RunOutcome outcome = await new ScenarioRunner(scenario, run.Target.Plan, view, kpis) { Cluster = watch }
                .RunAsync(address, run.Connections, interrupted);
            outcome = outcome with { Cluster = watch?.Within(outcome.MeasuredFrom, outcome.MeasuredTo) };
            kpis?.ReadNew();
            ServerFigures? figures = kpis?.Within(outcome.MeasuredFrom, outcome.MeasuredTo);
            if (kpis is not null && figures is null)
            {
                view.Say("The server's figures are not known: it wrote fewer than two KPI lines during the measurement.");
            }

            report = RunReport.Create(scenario, run.Target.Plan, outcome with { Server = figures }, commandLine);
            view.Say(SummaryText.Format(report, scenario.Faults));
            if (run.Target.JsonPath is { } path)
            {
                await ReportFiles.WriteAsync(report.Json, path);
            }
        }

        await (cluster?.StopAsync() ?? server?.StopAsync() ?? Task.CompletedTask);

        // Judged after the report is written and the server has stopped, so that a wrong key costs neither.
        IReadOnlyList<Verdict> verdicts = Verdict.Judge(run.Target.Conditions, report.Json);
        foreach (Verdict verdict in verdicts)
        {
            view.Say(verdict.ToString());
        }

        return !report.Good || verdicts.Any(static verdict => verdict.Failed) ? ExitCodes.Failed
            : interrupted.IsCancellationRequested ? ExitCodes.Interrupted
            : 0;
    }

    private static async Task<ClusterProcesses> StartClusterAsync(
        ServerSettings settings, ClusterSettings cluster, View view, CancellationToken interrupted)
    {
        string? missing = await LocalTool.WhyNotAsync(cluster.HasBroker ? ClusterEngine.RabbitMq : ClusterEngine.Postgres);
        UsageException.Unless(missing is null, $"--cluster: {missing}");
        ClusterProcesses started = await ClusterProcesses.StartAsync(ServerProgram.Find(), settings, cluster, interrupted);
        view.Say($"Started {cluster}, with a database of its own: {string.Join(", ", started.Addresses)}.");
        return started;
    }

    private static async Task<ServerProcess> StartServerAsync(ServerSettings settings, View view, CancellationToken interrupted)
    {
        string dll = settings.Baseline is null ? ServerProgram.Find() : OwnProgram.Path;
        ServerProcess server = await ServerProcess.StartAsync(dll, settings, interrupted);
        view.Say($"{settings.Baseline ?? "Server"} started in mode {settings.Mode} on {server.Address}.");
        return server;
    }
}
