namespace PlayChat.Benchmark.Limit;

/// <summary>Makes the runs: a server on its processor, a load on the other, both gone at the end.</summary>
internal sealed class LimitRuns(LimitOptions options, LimitMachine machine)
{
    private static readonly TimeSpan s_runPatience = TimeSpan.FromMinutes(5);
    private static readonly TimeSpan s_rest = TimeSpan.FromMilliseconds(20);

    // The runtime settings of a server: those of this program are for a load.
    private static readonly string[] s_asServer = ["/usr/bin/env", "DOTNET_TieredCompilation=1", "DOTNET_gcConcurrent=1"];

    /// <summary>Makes a run: an <see cref="ExperimentRunner.RunChild"/> whose arguments are scenario and server.</summary>
    public async Task<ChildOutcome> RunAsync(
        IReadOnlyList<string> arguments, string? cpus, Action<string> progress, CancellationToken interrupted)
    {
        LimitScenario scenario = LimitScenarios.All.Single(known => known.Name == arguments[0]);
        try
        {
            return await RunAsync(scenario, arguments[1], interrupted) is { } report
                ? new ChildOutcome((int)(ReportFigures.Read(report, "exit_code") ?? 0), report, LimitFigures.FaultsOf(report))
                : new ChildOutcome(ExitCodes.Failed, Report: null, "It came to no result.");
        }
        catch (OperationCanceledException)
        {
            return new ChildOutcome(ExitCodes.Interrupted, Report: null, Complaint: null);
        }
        catch (Exception e) when (e is UsageException or TimeoutException)
        {
            return new ChildOutcome(ExitCodes.Failed, Report: null, e.Message);
        }
    }

    /// <summary>The load's options, with warm-up and duration where it has none.</summary>
    public static IReadOnlyList<string> Load(LimitScenario scenario, LimitOptions options)
    {
        List<string> load = [.. scenario.Load.Split(' ')];
        bool timed = !load.Contains("--idle") && !load.Contains("--search");
        double duration = scenario.LeastSeconds > 0 ? Math.Max(scenario.LeastSeconds, 2 * options.Duration) : options.Duration;
        return
        [
            .. load,
            .. When(scenario.Hertz > 0, "--hertz", Text(scenario.Hertz)),
            .. When(scenario.Rooms > 0 && scenario.Hertz == 0, "--rooms", Text(scenario.Rooms)),
            .. When(timed && !load.Contains("--warmup"), "--warmup", Text(options.Warmup)),
            .. When(timed && !load.Contains("--duration"), "--duration", Text(duration)),
        ];
    }

    /// <summary>The command that starts a server of a scenario, without its port.</summary>
    public IEnumerable<string> Command(LimitScenario scenario, string server, string mode)
    {
        const string OwnTls = "--PlayChat:Endpoints:0:Tls";
        string form = LimitScenarios.WithoutTcp(server);
        string[] rooms = When(scenario.Rooms > 0, "--rooms", Text(scenario.Rooms));
        return server switch
        {
            LimitScenarios.C =>
            [
                Path.Combine(machine.Folder, scenario.Peer),
                .. rooms,
                .. When(scenario.Hertz > 0, "--hertz", Text(scenario.Hertz), "--size", Text(LimitScenarios.TickBytes)),
                .. When(scenario.MaxOutboundBytes > 0, "--max-out", Text(scenario.MaxOutboundBytes)),
                .. When(scenario.OverTls, "--cert", machine.Certificate, "--key", machine.Key),
            ],
            LimitScenarios.Kestrel =>
            [
                .. s_asServer, .. OwnProgram.Command, "serve", "--baseline", "kestrel", "--mode", mode,
                .. When(scenario.OverTls, "--certificate", machine.Certificate, "--key", machine.Key),
            ],
            _ when scenario.Hertz > 0 =>
            [
                .. s_asServer, .. OwnProgram.Command, "ticks", .. rooms, "--hertz", Text(scenario.Hertz),
                .. When(server.StartsWith(LimitScenarios.State, StringComparison.Ordinal), "--state"),
                .. When(server.EndsWith("-linux", StringComparison.Ordinal), "--transport", "linux"),
            ],
            LimitScenarios.Mapped =>
                [.. s_asServer, .. OwnProgram.Command, "mapped", "--mode", mode, .. rooms, "--flush-ms", Text(scenario.FlushMs)],
            _ =>
            [
                options.Server, "--mode", mode,
                .. rooms,
                .. When(scenario.MaxOutboundBytes > 0, $"--PlayChat:Connections:MaxOutboundBytes={scenario.MaxOutboundBytes}"),
                .. When(scenario.FlushMs > 0, $"--PlayChat:Rooms:FlushInterval={TimeSpan.FromMilliseconds(scenario.FlushMs):c}"),
                .. When(scenario.OverTls, $"{OwnTls}:CertificatePath={machine.Certificate}", $"{OwnTls}:KeyPath={machine.Key}"),
                .. When(IsOverWebSocket(scenario, server), "--PlayChat:Endpoints:0:WebSocket:Enabled=true"),
                .. When(form == "inline", "--inline"),
                .. When(form == "linux", "--transport", "linux"),
            ],
        };
    }

    private static bool IsOverWebSocket(LimitScenario scenario, string server) =>
        scenario.Servers.Contains(LimitScenarios.OverTcp, StringComparison.Ordinal)
        && server != LimitScenarios.C
        && server == LimitScenarios.WithoutTcp(server);

    private async Task<JsonObject?> RunAsync(LimitScenario scenario, string server, CancellationToken interrupted)
    {
        string kpis = Path.Combine(machine.Folder, "kpi.jsonl");
        File.Delete(kpis);
        string[] more = When(scenario.CountsCollections, $"--Kpi:JsonFile={kpis}", "--Kpi:Interval=00:00:01");
        await using RunningProcess process = Start(scenario, server, scenario.Rooms > 0 ? "broadcast" : "echo", more);
        await process.ListenAsync(interrupted);
        if (scenario.OnlyStarts)
        {
            bool withChat = scenario.Columns.Contains("chat", StringComparison.Ordinal);
            return new JsonObject
            {
                ["ready"] = process.ReadyMilliseconds,
                ["chat"] = withChat ? await StartChatAsync(scenario, server, interrupted) : null,
            };
        }

        string[] ws = When(IsOverWebSocket(scenario, server), "--ws");
        if (scenario.Warmed)
        {
            await LoadAsync(scenario, process, ["--conns", "1000", "--idle", "2", .. ws], interrupted);
            await RestAsync(process, interrupted); // the runtime compiles on after a load has ended
        }

        JsonObject report = await LoadAsync(scenario, process, [.. Load(scenario, options), .. ws], interrupted);
        return scenario.CountsCollections ? LimitFigures.OfKpis(new KpiFile(kpis)) : report;
    }

    // Waits, 30 seconds at most, until it uses next to no processor time for a second.
    private static async Task RestAsync(RunningProcess server, CancellationToken interrupted)
    {
        TimeSpan before = TimeSpan.MinValue / 2;
        for (int i = 0; i < 30 && server.ReadCpuTime() is var now && now - before > s_rest; i++)
        {
            before = now;
            await Task.Delay(TimeSpan.FromSeconds(1), interrupted);
        }
    }

    private RunningProcess Start(LimitScenario scenario, string server, string mode, string[] more) =>
        new([.. Command(scenario, server, mode), .. more, "--port", "0"], machine.Folder, scenario.Unpinned ? null : machine.ServerCore);

    // The chat server, too: PlayChat's with its database, which it makes in an empty folder.
    private async Task<double> StartChatAsync(LimitScenario scenario, string server, CancellationToken interrupted)
    {
        string folder = Directory.CreateDirectory(Path.Combine(machine.Folder, Guid.NewGuid().ToString("N"))).FullName;
        string[] database = When(server != LimitScenarios.Kestrel, $"--Storage:Path={Path.Combine(folder, "chat.db")}");
        await using RunningProcess chat = Start(scenario, server, "chat", database);
        await chat.ListenAsync(interrupted);
        return chat.ReadyMilliseconds;
    }

    private async Task<JsonObject> LoadAsync(
        LimitScenario scenario, RunningProcess server, IEnumerable<string> load, CancellationToken interrupted)
    {
        await using var generator = new RunningProcess(
            [Path.Combine(machine.Folder, scenario.Generator), "--port", Text(server.Port), "--server-pid", Text(server.Id), .. load],
            machine.Folder,
            scenario.Unpinned ? null : machine.LoadCore);
        int code = await generator.EndAsync().WaitAsync(s_runPatience, interrupted);
        JsonObject report = LimitFigures.OfLoad(generator.Output)
            ?? throw new RunFailedException($"{scenario.Generator} came to no result: {generator.LastWords}");
        report["exit_code"] = code;
        return report;
    }

    private static string[] When(bool condition, params string[] words) => condition ? words : [];

    private static string Text(double value) => value.ToString(CultureInfo.InvariantCulture);
}
