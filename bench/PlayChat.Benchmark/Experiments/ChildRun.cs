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
    /// <exception cref="UsageException">The process does not start.</exception>
    public static async Task<ChildOutcome> RunAsync(
        IReadOnlyList<string> arguments, string? cpus, Action<string> progress, CancellationToken interrupted)
    {
        DirectoryInfo folder = Directory.CreateTempSubdirectory("playchat-run-");
        try
        {
            string report = Path.Combine(folder.FullName, "report.json");
            string? fault = null;
            string? error = null;
            await using var process = new RunningProcess(
                [.. OwnProgram.Command, .. arguments, "--json", report],
                cpus: cpus,
                environment: [(ProgressVariable, "1")],
                onLine: OnLine);
            // On Windows Ctrl+C reaches every process of the console by itself, and there is no other way to ask one to end.
            await using CancellationTokenRegistration onInterrupt =
                OperatingSystem.IsWindows() ? default : interrupted.Register(process.Terminate);
            return new ChildOutcome(await process.EndAsync(), await ReadReportAsync(report), error ?? fault);

            void OnLine(string line, bool isError)
            {
                if (isError)
                {
                    error ??= line;
                }
                else if (line.StartsWith(ProgressPrefix, StringComparison.Ordinal))
                {
                    progress(line[ProgressPrefix.Length..]);
                }
                else if (line.StartsWith(FaultPrefix, StringComparison.Ordinal))
                {
                    fault ??= line[FaultPrefix.Length..].Trim();
                }
            }
        }
        finally
        {
            folder.Delete(recursive: true);
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
