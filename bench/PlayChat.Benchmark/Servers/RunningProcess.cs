using System.ComponentModel;

namespace PlayChat.Benchmark.Servers;

/// <summary>A server, a load or a tool in a process of its own, which ends with this object.</summary>
internal sealed partial class RunningProcess : IAsyncDisposable
{
    public const string Taskset = "/usr/bin/taskset";

    private const string Setsid = "/usr/bin/setsid";
    private const int SigTerm = 15;
    private const int RememberedLines = 3;

    // A server starts within a second. A busy machine may need a hundred times as long, and a failed start says so at once.
    private static readonly TimeSpan s_startPatience = TimeSpan.FromMinutes(2);
    private static readonly TimeSpan s_stopPatience = TimeSpan.FromSeconds(5);

    private readonly long _started = Stopwatch.GetTimestamp();
    private readonly StringBuilder _output = new();
    private readonly ConcurrentQueue<string> _last = new(); // the last lines of both outputs
    private readonly TaskCompletionSource _listening = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Action<string, bool>? _onLine;
    private readonly Process _process;
    private readonly Task[] _reading;

    /// <param name="cpus">Its processors, in the form of taskset; <see langword="null"/> for those of this process.</param>
    /// <param name="ownSession">Whether it has a session of its own. Ctrl+C does not reach it then: this program ends it in order.</param>
    /// <param name="onLine">Called for each line that is not empty, and whether it is of standard error. It may throw.</param>
    public RunningProcess(
        IEnumerable<string> command,
        string? folder = null,
        string? cpus = null,
        bool ownSession = false,
        IEnumerable<(string Name, string Value)>? environment = null,
        Action<string, bool>? onLine = null)
    {
        string[] words =
        [
            .. ownSession && File.Exists(Setsid) ? [Setsid] : Array.Empty<string>(),
            .. cpus is null ? Array.Empty<string>() : [Taskset, "-c", cpus],
            .. command,
        ];
        var start = new ProcessStartInfo(words[0], words[1..])
        {
            WorkingDirectory = folder,
            UseShellExecute = false,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            StandardOutputEncoding = Encoding.UTF8,
            StandardErrorEncoding = Encoding.UTF8,
        };
        foreach ((string name, string value) in environment ?? [])
        {
            start.Environment[name] = value;
        }

        try
        {
            _process = Process.Start(start)!;
        }
        catch (Win32Exception e)
        {
            throw new UsageException($"Cannot start {words[0]}: {e.Message}");
        }

        _onLine = onLine;
        _reading = [ReadAsync(_process.StandardOutput, isError: false), ReadAsync(_process.StandardError, isError: true)];
    }

    public static bool CanPin => File.Exists(Taskset);

    public int Id => _process.Id;

    /// <summary>What it wrote to standard output; of a server, up to the line that it listens.</summary>
    public string Output => _output.ToString();

    public string LastWords => _last.IsEmpty ? "it wrote nothing." : string.Join(" | ", _last);

    /// <summary>The port that it listens on; 0 until it does.</summary>
    public int Port { get; private set; }

    /// <summary>From its start until it said that it listens, in milliseconds.</summary>
    public double ReadyMilliseconds { get; private set; }

    /// <summary>Waits until it listens.</summary>
    public async Task ListenAsync(CancellationToken interrupted)
    {
        await _listening.Task.WaitAsync(s_startPatience, interrupted).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        interrupted.ThrowIfCancellationRequested();
        if (Port == 0)
        {
            await Task.WhenAny(Task.WhenAll(_reading), Task.Delay(s_stopPatience, interrupted)); // what it said last
            throw new RunFailedException($"The server did not start: {LastWords}");
        }
    }

    /// <summary>Waits until it has ended and all that it wrote is here.</summary>
    public async Task<int> EndAsync()
    {
        await await Task.WhenAny(_reading); // the first that ends tells whether lines can still be handled
        await Task.WhenAll(_reading);
        await _process.WaitForExitAsync();
        return _process.ExitCode;
    }

    /// <summary>Asks it to end, and waits until it has.</summary>
    /// <returns>Its exit code; <see langword="null"/> when it had to be killed.</returns>
    public async Task<int?> StopAsync(TimeSpan patience)
    {
        Terminate();
        using var timeout = new CancellationTokenSource(patience);
        try
        {
            await _process.WaitForExitAsync(timeout.Token);
            return _process.ExitCode;
        }
        catch (OperationCanceledException)
        {
            _process.Kill(entireProcessTree: true);
            await _process.WaitForExitAsync(CancellationToken.None);
            return null;
        }
    }

    /// <summary>Asks it to end: SIGTERM. Windows has none between processes without a common console, so there it is killed.</summary>
    public void Terminate()
    {
        if (OperatingSystem.IsWindows())
        {
            _process.Kill();
        }
        else
        {
            _ = Kill(_process.Id, SigTerm); // fails when the process has just exited, which is fine
        }
    }

    public TimeSpan ReadCpuTime()
    {
        _process.Refresh();
        return _process.TotalProcessorTime;
    }

    /// <summary>Asks it to end if it still runs, and kills it when it does not.</summary>
    public async ValueTask DisposeAsync()
    {
        if (!_process.HasExited)
        {
            await StopAsync(s_stopPatience);
        }

        _process.Dispose();
    }

    [GeneratedRegex(@"Listening on \S+:(?<port>\d+)", RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture, 1000)]
    private static partial Regex ListeningLine();

    [DllImport("libc", EntryPoint = "kill")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int Kill(int pid, int signal);

    private async Task ReadAsync(StreamReader reader, bool isError)
    {
        while (await reader.ReadLineAsync() is { } line)
        {
            if (!string.IsNullOrWhiteSpace(line))
            {
                OnLine(line, isError);
                _onLine?.Invoke(line, isError);
            }
        }

        if (!isError)
        {
            _listening.TrySetResult(); // it does not listen any more
        }
    }

    private void OnLine(string line, bool isError)
    {
        _last.Enqueue(line.Trim());
        if (_last.Count > RememberedLines)
        {
            _last.TryDequeue(out _);
        }

        if (isError || Port > 0)
        {
            return;
        }

        _output.AppendLine(line);
        if (ListeningLine().Match(line) is { Success: true } match)
        {
            ReadyMilliseconds = Stopwatch.GetElapsedTime(_started).TotalMilliseconds;
            Port = int.Parse(match.Groups["port"].ValueSpan, CultureInfo.InvariantCulture);
            _listening.TrySetResult();
        }
    }
}
