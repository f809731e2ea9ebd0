namespace PlayChat.Benchmark.Servers;

/// <summary>A server in a process of its own, with its database, logs and KPI file in a temporary folder that is removed with it.</summary>
internal sealed class ServerProcess(RunningProcess process, string folder) : IAsyncDisposable
{
    /// <summary>PlayChat.Server's setting of the number of rooms in broadcast mode.</summary>
    public const string RoomsKey = "Broadcast:Rooms";

    private static readonly TimeSpan s_stopTimeout = TimeSpan.FromSeconds(30);

    // This program's runtime settings are for a load. A server gets the runtime's defaults, as PlayChat.Server does.
    private static readonly (string Name, string Value)[] s_asServer = [("DOTNET_TieredCompilation", "1"), ("DOTNET_gcConcurrent", "1")];

    // What the server admits is measured, not what one player may have.
    private static readonly string[] s_unlimited =
    [
        "--Sessions:PacketsPerSecond=0",
        "--PlayChat:Connections:BytesPerSecond=0",
        "--PlayChat:Connections:FramesPerSecond=0",
        "--Sessions:RoomsPerMinute=0",
        "--Sessions:PagesPerSecond=0",
        "--Rooms:MaxCreatedPerPlayer=1000000",
    ];

    public ServerAddress Address => new("127.0.0.1", process.Port);

    public string KpiPath => KpiPathIn(folder);

    /// <summary>Starts it and waits until it listens.</summary>
    public static async Task<ServerProcess> StartAsync(string dll, ServerSettings settings, CancellationToken cancellationToken)
    {
        string folder = Directory.CreateTempSubdirectory("playchat-bench-").FullName;
        (string, string)[] environment =
        [
            .. settings.ConnectionString is { } secret ? [("PLAYCHAT_Storage__ConnectionString", secret)] : Array.Empty<(string, string)>(),
            .. settings.Baseline is null ? [] : s_asServer,
        ];
        IEnumerable<string> arguments = settings.Baseline is null ? Arguments(settings, folder) : BaselineArguments(settings, folder);
        var process = new RunningProcess(
            [ServerProgram.DotnetPath, dll, .. arguments], folder, settings.Cores, ownSession: true, environment: environment);
        var server = new ServerProcess(process, folder);
        try
        {
            await process.ListenAsync(cancellationToken);
            return server;
        }
        catch
        {
            await server.DisposeAsync();
            throw;
        }
    }

    /// <summary>Asks the server to stop and waits until it has exited, so that its KPI file is complete.</summary>
    public async Task StopAsync()
    {
        int code = await process.StopAsync(s_stopTimeout) ?? throw new RunFailedException(
            $"The server did not stop within {s_stopTimeout.TotalSeconds:0} seconds and was killed.");
        if (code != 0 && !OperatingSystem.IsWindows())
        {
            throw new RunFailedException($"The server ended with exit code {code}: {process.LastWords}");
        }
    }

    public async ValueTask DisposeAsync()
    {
        await process.DisposeAsync();
        Directory.Delete(folder, recursive: true);
    }
    private static string KpiPathIn(string folder) => Path.Combine(folder, "kpi.jsonl");

    private static IEnumerable<string> Arguments(ServerSettings settings, string folder) =>
    [
        "--mode", settings.Mode,
        "--port", settings.Port.ToString(CultureInfo.InvariantCulture),
        $"--Storage:Path={Path.Combine(folder, "chat.db")}",
        $"--ChatLog:Directory={Path.Combine(folder, "chatlog")}",
        $"--Kpi:JsonFile={KpiPathIn(folder)}",
        $"--Kpi:Interval={KpiFile.Interval:c}",
        "--Kpi:Table=false",
        "--Accounts:AutoRegister=true",
        .. s_unlimited,
        .. settings.Keys.Select(static pair => $"--{pair.Key}={pair.Value}"),
    ];

    private static IEnumerable<string> BaselineArguments(ServerSettings settings, string folder) =>
    [
        "serve",
        "--baseline", settings.Baseline!,
        "--mode", settings.Mode,
        "--rooms", settings.Keys.FirstOrDefault(static pair => pair.Key == RoomsKey).Value ?? "1",
        "--port", settings.Port.ToString(CultureInfo.InvariantCulture),
        "--kpi", KpiPathIn(folder),
    ];
}

/// <param name="Port">Its port; 0 for a free one.</param>
/// <param name="Cores">Its processors, in the form of taskset; <see langword="null"/> for those of this process.</param>
internal sealed record ServerSettings(string Mode, int Port, IReadOnlyList<(string Key, string Value)> Keys, string? Cores = null)
{
    /// <summary>The baseline to start instead; <see langword="null"/> for PlayChat.Server.</summary>
    public string? Baseline { get; init; }

    /// <summary>How the server reaches its database, if it is not a file. Secret: it is not on the command line.</summary>
    public string? ConnectionString { get; init; }
}
