namespace PlayChat.Benchmark.Cli;

/// <summary>What all kinds of load are told: how long, against which server, and where the report goes.</summary>
/// <param name="Address">A running server; <see langword="null"/>: one is started.</param>
/// <param name="ServerKpiPath">The running server's KPI file, if it is known.</param>
/// <param name="Server">The server that is started; its mode is the load's to say.</param>
internal sealed record LoadTarget(
    RunPlan Plan,
    ServerAddress? Address,
    string? ServerKpiPath,
    ServerSettings Server,
    ITransport Transport,
    string? JsonPath,
    IReadOnlyList<FailCondition> Conditions)
{
    public static OptionTable AddTo(OptionTable options, double warmup, double duration) => options
        .Seconds("--warmup", warmup, 0, "Load before the measurement, which is not counted.")
        .Seconds("--duration", duration, 0.1, "Length of the measurement.")
        .Seconds("--drain-timeout", 10, 0, "How long to wait for answers that are outstanding at the end.")
        .Seconds("--interval", 5, 0.5, "Time between two rows of the table.")
        .Text("--transport", "auto", "NAME", "The load's own transport: linux (epoll), sockets, or auto (linux where it is supported).")
        .Int("--load-threads", 0, 0, 1024, "Threads of the load's Linux transport; 0: one for each processor.")
        .Text("--connect", null, "HOST:PORT", "Use a running server instead of starting one.")
        .Text("--server-kpi", null, "FILE", "With --connect: the file of that server's option Kpi:JsonFile, to read the server's figures.")
        .Text("--baseline", null, "NAME", $"Start this server in place of PlayChat.Server: {string.Join(", ", Baseline.Names)}.")
        .List("--server", "KEY=VALUE", "An option of the server that is started, such as Transport=linux; repeatable.", inOne: false)
        .Text("--server-cores", null, "LIST", "Linux: the processors of the server that is started, such as 1 or 0,2-3.")
        .Text("--json", null, "FILE", "Write the report as JSON.")
        .List("--fail-if", "CONDITION", FailIf, inOne: false);

    public const string FailIf =
        "Exit with code 1 when the condition is true, such as \"p99_us>5000\". Operators: > >= < <= == !=. The figure is a key or a "
        + "path of the JSON report. May be given several times.";

    public static LoadTarget Read(OptionValues values)
    {
        string? connect = values.OptionalText("--connect");
        string? kpi = values.OptionalText("--server-kpi");
        string? baseline = values.OptionalText("--baseline");
        string? cores = values.OptionalText("--server-cores");
        string? json = values.OptionalText("--json");
        string[] server = values.List("--server");
        UsageException.Unless(
            (kpi is null || connect is not null, "--server-kpi needs --connect: the figures of a server that is started are always read."),
            (kpi is null || File.Exists(kpi),
                $"--server-kpi: there is no file '{kpi}'. Start the server with --Kpi:JsonFile=FILE --Kpi:Interval=00:00:01."),
            (server.Length == 0 || connect is null,
                "--server sets options of the server that the benchmark starts, so it does not go with --connect."),
            (cores is null || (connect is null && RunningProcess.CanPin),
                "--server-cores needs a server that the benchmark starts, on Linux with the program taskset."),
            (baseline is null || (connect is null && server.Length == 0),
                "--baseline starts a server, so it goes with neither --connect nor --server."),
            (json is null || Directory.Exists(Path.GetDirectoryName(Path.GetFullPath(json))),
                $"--json: the folder of '{json}' does not exist."));
        return new LoadTarget(
            new RunPlan(
                values.Seconds("--warmup"),
                MaxWarmup: TimeSpan.Zero,
                values.Seconds("--duration"),
                values.Seconds("--drain-timeout"),
                values.Seconds("--interval")),
            connect is null ? null : ServerAddress.Parse(connect),
            kpi,
            new ServerSettings(
                Mode: string.Empty,
                Port: 0,
                server.Select(Setting).ToArray(),
                cores is null ? null : CpuList(cores, "--server-cores"))
            {
                Baseline = baseline is null ? null : Baseline.Require(baseline).Name,
            },
            CreateTransport(values.Text("--transport"), values.Int("--load-threads")),
            json,
            values.List("--fail-if").Select(FailCondition.Parse).ToArray());
    }

    public static string CpuList(string list, string option) =>
        list.Length > 0 && list.All(static letter => char.IsAsciiDigit(letter) || letter is ',' or '-')
            ? list
            : throw new UsageException($"{option} takes processors such as 1 or 0,2-3, not '{list}'.");

    private static ITransport CreateTransport(string name, int threads)
    {
        UsageException.Unless(
            (name is "auto" or "linux" or "sockets", $"--transport is '{name}'; allowed is auto, linux or sockets."),
            (name != "linux" || LinuxTransport.IsSupported, "--transport linux needs 64-bit Linux; sockets works everywhere."));
        bool isLinux = name != "sockets" && LinuxTransport.IsSupported;
        UsageException.Unless(isLinux || threads == 0, "--load-threads needs --transport linux (64-bit Linux).");
        return !isLinux ? SocketTransport.Instance
            : threads == 0 ? LinuxTransport.Shared
            : new LinuxTransport(new LinuxTransportOptions { Loops = threads });
    }

    private static (string Key, string Value) Setting(string text) =>
        text.IndexOf('=', StringComparison.Ordinal) is > 0 and var equals
            ? (text[..equals], text[(equals + 1)..])
            : throw new UsageException($"--server takes KEY=VALUE, such as Transport=linux, not '{text}'.");
}

/// <summary>A run as the command line asks for it, checked.</summary>
/// <param name="CreateScenario">Makes the load. It gets the nodes of <see cref="Cluster"/>; none without one.</param>
internal sealed record LoadRun(
    LoadTarget Target, int Connections, ServerSettings Server, Func<IReadOnlyList<ServerAddress>, IScenario> CreateScenario)
{
    /// <summary>The cluster that is started instead of a server, if any. Its nodes have the options of <see cref="Server"/>.</summary>
    public ClusterSettings? Cluster { get; init; }

    public int ConnectAtOnce { get; init; } = ConnectionCrowd.AtOnce;
}
