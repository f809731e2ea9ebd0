namespace PlayChat.Benchmark.Servers;

/// <summary>A server in a process of its own, with its database, logs and KPI file in a temporary folder that is removed with it.</summary>
internal sealed partial class ServerProcess : IAsyncDisposable
{
    /// <summary>PlayChat.Server's setting of the number of rooms in broadcast mode.</summary>
    public const string RoomsKey = "Broadcast:Rooms";

    private const int MaxRememberedLines = 20;
    private const string Setsid = "/usr/bin/setsid";

    /// <summary>The program that gives a process its processors.</summary>
    public const string Taskset = "/usr/bin/taskset";

    // A server starts within a second. A busy machine may need a hundred times as long, and a failed start says so at once.
    private static readonly TimeSpan s_startTimeout = TimeSpan.FromMinutes(2);
    private static readonly TimeSpan s_stopTimeout = TimeSpan.FromSeconds(30);

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

    private readonly Process _process;
    private readonly string _folder;
    private readonly Queue<string> _lines = new(); // guarded by itself: the last lines of its output
    private readonly TaskCompletionSource<int> _listening = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private bool _stopped;

    private ServerProcess(Process process, string folder)
    {
        _process = process;
        _folder = folder;
    }

    /// <summary>Whether this system can pin a server to processors.</summary>
    public static bool CanPin => File.Exists(Taskset);

    /// <summary>Its address.</summary>
    public ServerAddress Address { get; private set; } = new("127.0.0.1", 0);

    /// <summary>The path of its KPI file.</summary>
    public string KpiPath => KpiPathIn(_folder);

    /// <summary>Starts it and waits until it listens.</summary>
    /// <exception cref="RunFailedException">The server did not start. The message has the last lines of its output.</exception>
    public static async Task<ServerProcess> StartAsync(string dll, ServerSettings settings, CancellationToken cancellationToken)
    {
        string folder = Directory.CreateTempSubdirectory("playchat-bench-").FullName;
        var process = new Process { StartInfo = CreateStartInfo(dll, settings, folder), EnableRaisingEvents = true };
        var server = new ServerProcess(process, folder);
        process.OutputDataReceived += (_, line) => server.OnLine(line.Data);
        process.ErrorDataReceived += (_, line) => server.OnLine(line.Data);
        process.Exited += (_, _) => server._listening.TrySetException(new RunFailedException("The server ended at once."));
        try
        {
            process.Start();
            process.BeginOutputReadLine();
            process.BeginErrorReadLine();
            int port = await server._listening.Task.WaitAsync(s_startTimeout, cancellationToken);
            server.Address = new ServerAddress("127.0.0.1", port);
            return server;
        }
        catch (Exception e) when (e is RunFailedException or TimeoutException)
        {
            await server.DisposeAsync();
            throw new RunFailedException($"The server did not start: {server.LastWords()}");
        }
        catch
        {
            await server.DisposeAsync();
            throw;
        }
    }

    /// <summary>Asks the server to stop and waits until it has exited, so that its KPI file is complete.</summary>
    /// <exception cref="RunFailedException">The server failed while stopping, or did not stop in time.</exception>
    public async Task StopAsync()
    {
        if (_stopped)
        {
            return;
        }

        _stopped = true;
        ProcessSignal.Terminate(_process);
        using var patience = new CancellationTokenSource(s_stopTimeout);
        try
        {
            await _process.WaitForExitAsync(patience.Token);
        }
        catch (OperationCanceledException)
        {
            _process.Kill(entireProcessTree: true);
            throw new RunFailedException($"The server did not stop within {s_stopTimeout.TotalSeconds:0} seconds and was killed.");
        }

        if (_process.ExitCode != 0 && !OperatingSystem.IsWindows())
        {
            throw new RunFailedException($"The server ended with exit code {_process.ExitCode}: {LastWords()}");
        }
    }

    /// <summary>Kills the server if it is running, and removes its folder.</summary>
    public async ValueTask DisposeAsync()
    {
        if (HasStarted() && !_process.HasExited)
        {
            _stopped = true;
            _process.Kill(entireProcessTree: true);
            await _process.WaitForExitAsync();
        }

        _process.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [GeneratedRegex(@"Listening on \S+:(?<port>\d+)", RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture, 1000)]
    private static partial Regex ListeningLine();

    private static string KpiPathIn(string folder) => Path.Combine(folder, "kpi.jsonl");

    private static ProcessStartInfo CreateStartInfo(string dll, ServerSettings settings, string folder)
    {
        string[] command =
        [
            // In a session of its own, so that Ctrl+C ends only the load, which then stops the server.
            .. File.Exists(Setsid) ? [Setsid] : Array.Empty<string>(),
            .. settings.Cores is null ? Array.Empty<string>() : [Taskset, "-c", settings.Cores],
            ServerProgram.DotnetPath,
            dll,
            .. settings.Baseline is null ? Arguments(settings, folder) : BaselineArguments(settings, folder),
        ];
        var start = new ProcessStartInfo(command[0], command[1..])
        {
            WorkingDirectory = folder,
            UseShellExecute = false,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        if (settings.ConnectionString is not null)
        {
            start.Environment["PLAYCHAT_Storage__ConnectionString"] = settings.ConnectionString;
        }

        if (settings.Baseline is not null)
        {
            // This program's runtime settings are for a load. A server gets the runtime's defaults, as PlayChat.Server does.
            start.Environment["DOTNET_TieredCompilation"] = "1";
            start.Environment["DOTNET_gcConcurrent"] = "1";
        }

        return start;
    }

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

    private void OnLine(string? line)
    {
        if (string.IsNullOrWhiteSpace(line))
        {
            return;
        }

        lock (_lines)
        {
            _lines.Enqueue(line.Trim());
            if (_lines.Count > MaxRememberedLines)
            {
                _lines.Dequeue();
            }
        }

        if (ListeningLine().Match(line) is { Success: true } match)
        {
            _listening.TrySetResult(int.Parse(match.Groups["port"].ValueSpan, CultureInfo.InvariantCulture));
        }
    }

    private string LastWords()
    {
        lock (_lines)
        {
            return _lines.Count == 0 ? "it wrote nothing." : string.Join(" | ", _lines.TakeLast(3));
        }
    }

    private bool HasStarted()
    {
        try
        {
            return _process.Id > 0;
        }
        catch (InvalidOperationException)
        {
            return false; // it was never started, so it has no id
        }
    }
}

/// <summary>The settings of a server that the benchmark starts.</summary>
/// <param name="Mode">The server's <c>--mode</c>.</param>
/// <param name="Port">Its port; 0 for a free one.</param>
/// <param name="Keys">More options of the server, key and value.</param>
/// <param name="Cores">Its processors, in the form of taskset; <see langword="null"/> for those of this process.</param>
internal sealed record ServerSettings(string Mode, int Port, IReadOnlyList<(string Key, string Value)> Keys, string? Cores = null)
{
    /// <summary>The baseline to start instead; <see langword="null"/> for PlayChat.Server.</summary>
    public string? Baseline { get; init; }

    /// <summary>How the server reaches its database, if it is not a file. Secret: it is not on the command line.</summary>
    public string? ConnectionString { get; init; }
}

/// <summary>Asks a process to exit.</summary>
internal static class ProcessSignal
{
    private const int SigTerm = 15;

    /// <summary>
    /// Sends SIGTERM. On Windows, which has no such signal between processes without a common console, it kills the process.
    /// </summary>
    public static void Terminate(Process process)
    {
        if (OperatingSystem.IsWindows())
        {
            process.Kill();
        }
        else
        {
            _ = Kill(process.Id, SigTerm); // fails when the process has just exited, which is fine
        }
    }

    [DllImport("libc", EntryPoint = "kill")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int Kill(int pid, int signal);
}
