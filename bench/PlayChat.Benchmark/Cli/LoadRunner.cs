using System.Globalization;
using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Reports;
using PlayChat.Benchmark.Reports.Suite;
using PlayChat.Benchmark.Run;
using PlayChat.Benchmark.Servers;
using PlayChat.Core.Diagnostics;
using Spectre.Console;

namespace PlayChat.Benchmark.Cli;

/// <summary>Carries a run out: server, load, report, and everything gone again afterwards.</summary>
internal sealed class LoadRunner(string commandLine, TextWriter output)
{
    /// <summary>The exit code of a run that was interrupted, as a shell has it: 128 + SIGINT.</summary>
    public const int Interrupted = 130;

    /// <summary>Runs.</summary>
    /// <returns>The exit code: 0 when everything arrived, once and in order.</returns>
    /// <exception cref="UsageException">The run cannot be.</exception>
    /// <exception cref="RunFailedException">The server failed.</exception>
    public async Task<int> RunAsync(LoadRun run, CancellationToken interrupted)
    {
        SystemLimits.Check(run.Connections, run.ConnectAtOnce);
        if (Environment.GetEnvironmentVariable(RunProgress.Variable) is { Length: > 0 })
        {
            return await RunAsync(run, new ProgressView(output), interrupted);
        }

        if (!Terminal.CanRedraw(output))
        {
            return await RunAsync(run, new PlainView(output), interrupted);
        }

        IAnsiConsole console = AnsiConsole.Console;
        return await console.Live(new Text(string.Empty)).AutoClear(true)
            .StartAsync(display => RunAsync(run, new LiveView(console, display), interrupted));
    }

    private async Task<int> RunAsync(LoadRun run, IRunView view, CancellationToken interrupted)
    {
        await using ServerProcess? server = run.Target.Address is null ? await StartServerAsync(run.Server with { Baseline = run.Target.Baseline }, view, interrupted) : null;
        ServerAddress address = server?.Address ?? run.Target.Address!;
        string? kpiPath = server?.KpiPath ?? run.Target.ServerKpiPath;
        KpiFile? kpis = kpiPath is null ? null : new KpiFile(kpiPath);

        IScenario scenario = run.CreateScenario();
        RunReport report;
        await using (scenario)
        {
            RunOutcome outcome = await new ScenarioRunner(scenario, run.Target.Plan, view, kpis).RunAsync(address, run.Connections, interrupted);
            kpis?.ReadNew();
            ServerFigures? figures = kpis?.Within(outcome.MeasuredFrom, outcome.MeasuredTo);
            if (kpis is not null && figures is null)
            {
                view.Say("The server's figures are not known: fewer than two of its KPI lines lie in the measuring.");
            }

            if (figures is not null)
            {
                view.Say("The server, in the measuring:\n" + KpiTable.FormatSummary(figures.Interval) + "\nThe load:");
            }

            report = RunReport.Create(scenario, run.Target.Plan, outcome with { Server = figures }, commandLine);
            view.Say(SummaryText.Format(report, scenario.Faults));
            await report.WriteAsync(run.Target.JsonPath, run.Target.CsvPath);
        }

        if (server is not null)
        {
            await server.StopAsync();
        }

        return ExitCode(report, Judge(report, run.Target, view), interrupted);
    }

    // When the report is written and the server is gone, so that a wrong key costs neither.
    private static bool Judge(RunReport report, LoadTarget target, IRunView view)
    {
        if (target.Earlier is { } earlier)
        {
            view.Say(Comparison.Of(earlier, report.Json).Format());
        }

        IReadOnlyList<Verdict> verdicts = Verdict.Judge(target.Conditions, report.Json);
        foreach (Verdict verdict in verdicts)
        {
            view.Say(verdict.ToString());
        }

        return verdicts.All(static verdict => !verdict.Failed);
    }

    private static int ExitCode(RunReport report, bool passed, CancellationToken interrupted)
    {
        if (!report.Good || !passed)
        {
            return 1;
        }

        return interrupted.IsCancellationRequested ? Interrupted : 0;
    }

    private static async Task<ServerProcess> StartServerAsync(ServerSettings settings, IRunView view, CancellationToken interrupted)
    {
        if (settings.Baseline is not null && !ServeCommand.Modes.Contains(settings.Mode, StringComparer.Ordinal))
        {
            throw new UsageException($"A baseline serves {string.Join(", ", ServeCommand.Modes)}, not {settings.Mode}.");
        }

        string dll = settings.Baseline is null ? await ServerBuild.GetAsync(view.Say, interrupted) : typeof(LoadRunner).Assembly.Location;
        if (Asked(settings) is { } backlog && Backlog.Notice(backlog, Backlog.Read()) is { } notice)
        {
            view.Say(notice);
        }

        ServerProcess server = await ServerProcess.StartAsync(dll, settings, interrupted);
        view.Say($"{settings.Baseline ?? "Server"} started in mode {settings.Mode} on {server.Address}.");
        return server;
    }

    // The backlog that the command line asks for, if it does.
    private static int? Asked(ServerSettings settings) => settings.Keys
        .Where(static setting => setting.Key.EndsWith("Transport:Backlog", StringComparison.OrdinalIgnoreCase))
        .Select(static setting => int.TryParse(setting.Value, NumberStyles.None, CultureInfo.InvariantCulture, out int backlog) ? backlog : (int?)null)
        .LastOrDefault();
}
