using System.ComponentModel;
using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using System.Text;

namespace Samples.Tests;

/// <summary>A program that runs as a process of its own. What it prints is kept, to be waited for and for failure messages.
/// Thread-safe.</summary>
internal sealed partial class SampleProcess : IAsyncDisposable
{
    private const int SigInt = 2; // POSIX: the same numbers everywhere
    private const int SigTerm = 15;

    private readonly Process _process;
    private readonly List<string> _lines = []; // guarded by itself; errors as well
    private readonly List<(int From, Func<string, bool> IsMeant, TaskCompletionSource<string> Found)> _watchers = []; // guarded by _lines

    private SampleProcess(Process process)
    {
        _process = process;
        Exited = RunAsync();
    }

    /// <summary>The reason to skip a test on a system that has no signal to end a process.</summary>
    public const string NoSignals = "This system has no SIGTERM.";

    /// <summary>Completes with the exit code when the process has ended and all that it printed was read.</summary>
    public Task<int> Exited { get; }

    /// <summary>What it printed so far.</summary>
    public IReadOnlyList<string> Lines
    {
        get
        {
            lock (_lines)
            {
                return [.. _lines];
            }
        }
    }

    /// <summary>Starts a sample; its program lies beside the tests'.</summary>
    public static SampleProcess Start(string sample, params string[] arguments) =>
        StartProgram(Path.Combine(AppContext.BaseDirectory, $"{sample}.dll"), AppContext.BaseDirectory, arguments);

    /// <summary>Starts any program.</summary>
    public static SampleProcess StartProgram(string program, string workingDirectory, params string[] arguments) =>
        StartProgram(program, workingDirectory, variable: null, arguments);

    /// <summary>Starts any program with a variable in its environment.</summary>
    public static SampleProcess StartProgram(
        string program, string workingDirectory, (string Name, string Value)? variable, params string[] arguments)
    {
        bool isAssembly = program.EndsWith(".dll", StringComparison.OrdinalIgnoreCase);
        var start = new ProcessStartInfo(isAssembly ? FindDotNet() : program)
        {
            WorkingDirectory = workingDirectory,
            UseShellExecute = false,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            StandardOutputEncoding = Encoding.UTF8,
            StandardErrorEncoding = Encoding.UTF8,
        };
        string[] all = isAssembly ? [program, .. arguments] : arguments;
        foreach (string argument in all)
        {
            start.ArgumentList.Add(argument);
        }

        // What is set for tests must not configure the programs.
        foreach (string name in start.Environment.Keys.Where(static key => key.StartsWith("PLAYCHAT_", StringComparison.OrdinalIgnoreCase))
            .ToList())
        {
            start.Environment.Remove(name);
        }

        if (variable is { } set)
        {
            start.Environment[set.Name] = set.Value;
        }

        return new SampleProcess(Process.Start(start)!);
    }

    /// <summary>Waits for the line in which a server says where it listens.</summary>
    /// <returns>The port.</returns>
    public async Task<int> WaitForPortAsync()
    {
        string line = await WaitForLineAsync(static line => line.Contains(" on 127.0.0.1:", StringComparison.Ordinal));
        string port = line[(line.IndexOf("127.0.0.1:", StringComparison.Ordinal) + 10)..];
        return int.Parse(string.Concat(port.TakeWhile(char.IsAsciiDigit)), CultureInfo.InvariantCulture);
    }

    /// <summary>Waits for a line, those printed before included.</summary>
    /// <param name="isMeant">Which.</param>
    /// <param name="from">How many lines to pass over.</param>
    public async Task<string> WaitForLineAsync(Func<string, bool> isMeant, int from = 0)
    {
        var found = new TaskCompletionSource<string>(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_lines)
        {
            if (_lines.Skip(from).FirstOrDefault(isMeant) is { } line)
            {
                return line;
            }

            _watchers.Add((from, isMeant, found));
        }

        try
        {
            await Task.WhenAny(found.Task, Exited).WaitAsync(Hang.Guard);
        }
        catch (TimeoutException e)
        {
            throw new TimeoutException($"The line did not come. {this}", e);
        }

        return found.Task.IsCompleted ? await found.Task : throw new InvalidOperationException($"The program ended too early. {this}");
    }

    /// <summary>SIGKILL, as a crash.</summary>
    public Task<int> KillAsync()
    {
        _process.Kill();
        return WaitForExitAsync();
    }

    /// <summary>Ctrl+C.</summary>
    public void Interrupt() => Send(SigInt);

    /// <summary>SIGTERM, and waits for the end.</summary>
    /// <returns>The exit code.</returns>
    public Task<int> StopAsync()
    {
        Send(SigTerm);
        return WaitForExitAsync();
    }

    /// <returns>The exit code.</returns>
    public async Task<int> WaitForExitAsync()
    {
        try
        {
            return await Exited.WaitAsync(Hang.Guard);
        }
        catch (TimeoutException e)
        {
            throw new TimeoutException($"The program did not end. {this}", e);
        }
    }

    public override string ToString() => string.Join(Environment.NewLine, ["It printed:", .. Lines]);

    public async ValueTask DisposeAsync()
    {
        if (!Exited.IsCompleted)
        {
            _process.Kill(entireProcessTree: true); // does nothing when it is just ending by itself
        }

        await Exited.WaitAsync(Hang.Guard);
        _process.Dispose();
    }

    /// <summary>The host that runs these tests: …/dotnet/shared/Microsoft.NETCore.App/10.0.0/ is its runtime.</summary>
    private static string FindDotNet() => Path.GetFullPath(Path.Combine(
        RuntimeEnvironment.GetRuntimeDirectory(), "..", "..", "..", OperatingSystem.IsWindows() ? "dotnet.exe" : "dotnet"));

    [LibraryImport("libc", EntryPoint = "kill", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    private static partial int Kill(int processId, int signal);

    private void Send(int signal)
    {
        if (Kill(_process.Id, signal) != 0)
        {
            throw new Win32Exception(Marshal.GetLastPInvokeError());
        }
    }

    private async Task<int> RunAsync()
    {
        await Task.WhenAll(ReadAsync(_process.StandardOutput), ReadAsync(_process.StandardError), _process.WaitForExitAsync());
        return _process.ExitCode;
    }

    private async Task ReadAsync(StreamReader reader)
    {
        while (await reader.ReadLineAsync() is { } line)
        {
            lock (_lines)
            {
                _lines.Add(line);
                for (int i = _watchers.Count - 1; i >= 0; i--)
                {
                    if (_lines.Count > _watchers[i].From && _watchers[i].IsMeant(line))
                    {
                        _watchers[i].Found.SetResult(line);
                        _watchers.RemoveAt(i);
                    }
                }
            }
        }
    }
}
