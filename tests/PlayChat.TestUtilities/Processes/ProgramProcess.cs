using System.Diagnostics;
using System.Text;

namespace PlayChat.TestUtilities.Processes;

/// <summary>A program of the solution that runs as a process of its own. What it prints is kept, for waiting on it and for failure
/// messages. Thread-safe.</summary>
public sealed class ProgramProcess : IAsyncDisposable
{
    private readonly Process _process;
    private readonly List<string> _output = []; // guarded by itself, as are the others
    private readonly List<string> _errors = [];
    private readonly List<(int From, Func<string, bool> IsMeant, TaskCompletionSource<string> Found)> _watchers = [];

    private int? _exitCode;

    private ProgramProcess(Process process)
    {
        _process = process;
        Exited = RunAsync();
    }

    /// <summary>Completes with the exit code when the process has ended and all that it printed was read.</summary>
    public Task<int> Exited { get; }

    /// <summary>What it printed so far, line by line.</summary>
    public IReadOnlyList<string> OutputLines
    {
        get
        {
            lock (_output)
            {
                return [.. _output];
            }
        }
    }

    /// <summary>What it printed as errors so far, line by line.</summary>
    public IReadOnlyList<string> ErrorLines
    {
        get
        {
            lock (_output)
            {
                return [.. _errors];
            }
        }
    }

    /// <summary>The process's id.</summary>
    public int Id => _process.Id;

    /// <summary>Starts a program.</summary>
    /// <param name="program">Its assembly (.dll) or executable.</param>
    /// <param name="workingDirectory">Where its relative paths begin.</param>
    /// <param name="arguments">Its command line.</param>
    public static ProgramProcess Start(string program, string workingDirectory, params string[] arguments)
    {
        (program, arguments) = CommandOf(program, arguments);
        var start = new ProcessStartInfo(program)
        {
            WorkingDirectory = workingDirectory,
            UseShellExecute = false,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            StandardInputEncoding = new UTF8Encoding(encoderShouldEmitUTF8Identifier: false),
            StandardOutputEncoding = Encoding.UTF8,
            StandardErrorEncoding = Encoding.UTF8,
        };
        foreach (string argument in arguments)
        {
            start.ArgumentList.Add(argument);
        }

        // What is set for the tests, or by whoever runs them, must not configure the program; but for the transport that is under test.
        foreach (string name in start.Environment.Keys.Where(static key =>
            key.StartsWith("PLAYCHAT_", StringComparison.OrdinalIgnoreCase) && key != ProgramFile.TransportVariable).ToList())
        {
            start.Environment.Remove(name);
        }

        return new ProgramProcess(ChildProcess.Start(start));
    }

    /// <summary>The command that runs a program: an assembly is run by dotnet.</summary>
    /// <param name="program">Its assembly (.dll) or executable.</param>
    /// <param name="arguments">Its command line.</param>
    public static (string Program, string[] Arguments) CommandOf(string program, string[] arguments) =>
        program.EndsWith(".dll", StringComparison.OrdinalIgnoreCase) ? (ProgramFile.DotNet, [program, .. arguments]) : (program, arguments);

    /// <summary>The same command as a process that may open only so many files, sockets included. Needs a Unix shell.</summary>
    /// <param name="descriptors">The limit, as of <c>ulimit -n</c>.</param>
    /// <param name="program">What <see cref="CommandOf"/> gave.</param>
    /// <param name="arguments">The same.</param>
    internal static (string Program, string[] Arguments) WithDescriptors(int descriptors, string program, string[] arguments)
    {
        // The shell becomes the program, so the process is the program's own.
        string script = string.Create(System.Globalization.CultureInfo.InvariantCulture, $"ulimit -n {descriptors} && exec \"$0\" \"$@\"");
        return ("/bin/sh", ["-c", script, program, .. arguments]);
    }

    /// <summary>Waits for a line of the output, those printed before included.</summary>
    /// <param name="isMeant">Which line.</param>
    /// <param name="from">How many lines to pass over.</param>
    /// <exception cref="InvalidOperationException">The program ended without it.</exception>
    /// <exception cref="TimeoutException">It did not come; the message says what did.</exception>
    public async Task<string> WaitForLineAsync(Func<string, bool> isMeant, int from = 0)
    {
        var found = new TaskCompletionSource<string>(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_output)
        {
            if (_output.Skip(from).FirstOrDefault(isMeant) is { } line)
            {
                return line;
            }

            _watchers.Add((from, isMeant, found));
        }

        try
        {
            Task first = await Task.WhenAny(found.Task, Exited).WaitAsync(TestTimeouts.Hang);
            return first == found.Task || found.Task.IsCompleted
                ? await found.Task
                : throw new InvalidOperationException($"The program ended too early. {Describe()}");
        }
        catch (TimeoutException e)
        {
            throw new TimeoutException($"The program did not print what was waited for. {Describe()}", e);
        }
    }

    /// <summary>Types a line.</summary>
    public async Task TypeAsync(string line)
    {
        await _process.StandardInput.WriteLineAsync(line);
        await _process.StandardInput.FlushAsync();
    }

    /// <summary>Ends the input, as Ctrl+D does.</summary>
    public void EndInput() => _process.StandardInput.Close();

    /// <summary>Sends SIGTERM.</summary>
    public void Terminate() => PosixSignals.Terminate(_process.Id);

    /// <summary>Sends SIGHUP.</summary>
    public void HangUp() => PosixSignals.HangUp(_process.Id);

    /// <summary>SIGSTOP: holds all its threads.</summary>
    public void Suspend() => PosixSignals.Stop(_process.Id);

    /// <summary>SIGCONT: lets it go on.</summary>
    public void Resume() => PosixSignals.Continue(_process.Id);

    /// <summary>Ends it at once.</summary>
    public void Kill() => _process.Kill(entireProcessTree: true);

    /// <summary>Ends it at once, and leaves the processes that it has started.</summary>
    public void KillAlone() => _process.Kill();

    /// <summary>Waits for the end.</summary>
    /// <returns>The exit code.</returns>
    /// <exception cref="TimeoutException">It did not end; the message says what it printed.</exception>
    public async Task<int> WaitForExitAsync()
    {
        try
        {
            return await Exited.WaitAsync(TestTimeouts.Hang);
        }
        catch (TimeoutException e)
        {
            throw new TimeoutException($"The program did not end. {Describe()}", e);
        }
    }

    /// <summary>State and output, for a failure message.</summary>
    public string Describe()
    {
        string state = _exitCode is { } exitCode ? $"Exit code {exitCode}." : "It runs.";
        return string.Join(Environment.NewLine, [state, "Output:", .. OutputLines, "Errors:", .. ErrorLines]);
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        if (!Exited.IsCompleted)
        {
            // Does nothing when the process is just ending by itself.
            Kill();
        }

        await Exited.WaitAsync(TestTimeouts.Hang);
        _process.Dispose();
    }

    private async Task<int> RunAsync()
    {
        await Task.WhenAll(
            ReadAsync(_process.StandardOutput, _output), ReadAsync(_process.StandardError, _errors), _process.WaitForExitAsync());
        _exitCode = _process.ExitCode;
        return _process.ExitCode;
    }

    private async Task ReadAsync(StreamReader reader, List<string> lines)
    {
        while (await reader.ReadLineAsync() is { } line)
        {
            lock (_output)
            {
                lines.Add(line);
                if (lines == _output)
                {
                    Notify(line);
                }
            }
        }
    }

    private void Notify(string line)
    {
        for (int i = _watchers.Count - 1; i >= 0; i--)
        {
            if (_output.Count > _watchers[i].From && _watchers[i].IsMeant(line))
            {
                _watchers[i].Found.SetResult(line);
                _watchers.RemoveAt(i);
            }
        }
    }
}
