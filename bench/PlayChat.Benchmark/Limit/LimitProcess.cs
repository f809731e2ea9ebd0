using System.ComponentModel;

namespace PlayChat.Benchmark.Limit;

/// <summary>A server, a load or a tool in a process of its own, which ends with this object.</summary>
internal sealed partial class LimitProcess : IAsyncDisposable
{
    private static readonly TimeSpan s_startPatience = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan s_runPatience = TimeSpan.FromMinutes(5);
    private static readonly TimeSpan s_stopPatience = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan s_rest = TimeSpan.FromMilliseconds(20);

    private readonly long _started = Stopwatch.GetTimestamp();
    private readonly StringBuilder _output = new();
    private readonly TaskCompletionSource _listening = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Process _process;
    private string? _error;

    /// <summary>Starts a command.</summary>
    /// <param name="command">The program and its arguments.</param>
    /// <param name="folder">The folder that it runs in.</param>
    /// <param name="core">Its processor; <see langword="null"/> for all.</param>
    /// <exception cref="UsageException">There is no such program.</exception>
    public LimitProcess(IEnumerable<string> command, string folder, string? core = null)
    {
        string[] words = core is null ? [.. command] : [ServerProcess.Taskset, "-c", core, .. command];
        var start = new ProcessStartInfo(words[0], words[1..])
        {
            WorkingDirectory = folder,
            UseShellExecute = false,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        _process = new Process { StartInfo = start, EnableRaisingEvents = true };
        _process.OutputDataReceived += (_, line) => OnOutput(line.Data);
        _process.ErrorDataReceived += (_, line) => _error ??= string.IsNullOrWhiteSpace(line.Data) ? null : line.Data;
        _process.Exited += (_, _) => _listening.TrySetResult();
        try
        {
            _process.Start();
        }
        catch (Win32Exception e)
        {
            throw new UsageException($"Cannot start {words[0]}: {e.Message}");
        }

        _process.BeginOutputReadLine();
        _process.BeginErrorReadLine();
    }

    /// <summary>Its id.</summary>
    public int Id => _process.Id;

    /// <summary>What it wrote to standard output; of a server, up to the line that it listens.</summary>
    public string Output => _output.ToString();

    /// <summary>The first line that it wrote to standard error.</summary>
    public string Error => _error ?? "it wrote nothing.";

    /// <summary>The port that it listens on; 0 until it does.</summary>
    public int Port { get; private set; }

    /// <summary>From its start until it said that it listens, in milliseconds.</summary>
    public double ReadyMilliseconds { get; private set; }

    /// <summary>Waits until it listens.</summary>
    /// <exception cref="RunFailedException">It ended, or did not listen. The message is what it said.</exception>
    public async Task ListenAsync(CancellationToken interrupted)
    {
        await _listening.Task.WaitAsync(s_startPatience, interrupted).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        interrupted.ThrowIfCancellationRequested();
        if (Port == 0)
        {
            throw new RunFailedException($"It did not start: {Error}");
        }
    }

    /// <summary>Waits, five minutes at most, until it has ended and all that it wrote is here.</summary>
    /// <returns>Its exit code.</returns>
    public async Task<int> EndAsync(CancellationToken interrupted)
    {
        await _process.WaitForExitAsync(interrupted).WaitAsync(s_runPatience, interrupted);
        return _process.ExitCode;
    }

    /// <summary>Waits, 30 seconds at most, until it uses next to no processor time for a second.</summary>
    public async Task RestAsync(CancellationToken interrupted)
    {
        TimeSpan before = TimeSpan.MinValue / 2;
        for (int i = 0; i < 30 && _process.TotalProcessorTime - before > s_rest; i++)
        {
            before = _process.TotalProcessorTime;
            await Task.Delay(TimeSpan.FromSeconds(1), interrupted);
            _process.Refresh();
        }
    }

    /// <summary>Asks it to end, and kills it when it does not.</summary>
    public async ValueTask DisposeAsync()
    {
        if (!_process.HasExited)
        {
            ProcessSignal.Terminate(_process);
        }

        using var patience = new CancellationTokenSource(s_stopPatience);
        await using CancellationTokenRegistration onTimeout = patience.Token.Register(_process.Kill);
        await _process.WaitForExitAsync(CancellationToken.None);
        _process.Dispose();
    }

    [GeneratedRegex(@"Listening on \S+:(?<port>\d+)", RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture, 1000)]
    private static partial Regex ListeningLine();

    private void OnOutput(string? line)
    {
        if (line is null || Port > 0)
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
