using System.ComponentModel;

namespace PlayChat.Benchmark.Experiments;

/// <summary>The outcome of a run of this program as a separate process.</summary>
/// <param name="Report">The report that it wrote, if it did.</param>
/// <param name="Complaint">Its message about what went wrong, if there was one: one line.</param>
internal sealed record ChildOutcome(int ExitCode, JsonObject? Report, string? Complaint);

/// <summary>Runs this program again in a process of its own, so that no run inherits another's memory or compiled code.</summary>
/// <remarks>The report has each run's command line, so that you can repeat one alone.</remarks>
internal static class ChildRun
{
    /// <summary>The environment variable that makes a run report its progress, in lines with <see cref="ProgressPrefix"/>.</summary>
    public const string ProgressVariable = "PLAYCHAT_BENCHMARK_PROGRESS";

    /// <summary>Begins a line that replaces the one before it on a terminal.</summary>
    public const string ProgressPrefix = "progress ";

    private const string FaultPrefix = "fault ";

    /// <summary>Runs a command line to its end.</summary>
    /// <param name="cpus">Its processors, in the form of taskset; <see langword="null"/> for all.</param>
    /// <param name="interrupted">Asks the run to end; it then reports what it has.</param>
    /// <exception cref="RunFailedException">The process does not start.</exception>
    public static async Task<ChildOutcome> RunAsync(
        IReadOnlyList<string> arguments, string? cpus, Action<string> progress, CancellationToken interrupted)
    {
        DirectoryInfo folder = Directory.CreateTempSubdirectory("playchat-run-");
        try
        {
            string report = Path.Combine(folder.FullName, "report.json");
            using Process process = Start([.. arguments, "--json", report], cpus);
            await using CancellationTokenRegistration onInterrupt = interrupted.Register(() => Interrupt(process));
            string? fault = null;
            string? error = null;
            try
            {
                Task output = ReadAsync(process.StandardOutput, OnOutput);
                Task errors = ReadAsync(process.StandardError, line => error ??= line);
                await await Task.WhenAny(output, errors); // the first that ends tells whether lines can still be handled
                await Task.WhenAll(output, errors);
                await process.WaitForExitAsync(CancellationToken.None);
            }
            finally
            {
                if (!process.HasExited)
                {
                    process.Kill(entireProcessTree: true); // handling a line failed, and its pipes have no reader any more
                }
            }

            return new ChildOutcome(process.ExitCode, await ReadReportAsync(report), error ?? fault);

            void OnOutput(string line)
            {
                if (line.StartsWith(ProgressPrefix, StringComparison.Ordinal))
                {
                    progress(line[ProgressPrefix.Length..]);
                }
                else if (fault is null && line.StartsWith(FaultPrefix, StringComparison.Ordinal))
                {
                    fault = line[FaultPrefix.Length..].Trim();
                }
            }
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    private static Process Start(string[] arguments, string? cpus)
    {
        string[] command =
        [
            .. cpus is null ? Array.Empty<string>() : [ServerProcess.Taskset, "-c", cpus],
            .. OwnProgram.Command,
            .. arguments,
        ];
        var start = new ProcessStartInfo(command[0], command[1..])
        {
            UseShellExecute = false,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            StandardOutputEncoding = Encoding.UTF8,
            StandardErrorEncoding = Encoding.UTF8,
        };
        start.Environment[ProgressVariable] = "1";
        try
        {
            return Process.Start(start)!;
        }
        catch (Win32Exception e)
        {
            throw new RunFailedException($"Cannot start {command[0]}: {e.Message}");
        }
    }

    // On Windows Ctrl+C reaches every process of the console by itself, and there is no other way to ask one to end.
    private static void Interrupt(Process process)
    {
        if (!OperatingSystem.IsWindows())
        {
            ProcessSignal.Terminate(process);
        }
    }

    private static async Task ReadAsync(StreamReader reader, Action<string> handle)
    {
        while (await reader.ReadLineAsync() is { } line)
        {
            if (line.Length > 0)
            {
                handle(line);
            }
        }
    }

    private static async Task<JsonObject?> ReadReportAsync(string path)
    {
        try
        {
            return File.Exists(path) ? JsonNode.Parse(await File.ReadAllTextAsync(path)) as JsonObject : null;
        }
        catch (JsonException)
        {
            return null; // it was killed while it wrote
        }
    }
}
