using System.Diagnostics;
using System.Globalization;
using System.Text.RegularExpressions;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests;

/// <summary>The processes of tests: how they begin, and that they end with the tests.</summary>
public sealed partial class ChildProcessTests
{
    private const string FileVariable = "LEFT_BEHIND_FILE";
    private const long EndingSignals = 0x4007; // SIGHUP, SIGINT, SIGQUIT and SIGTERM, as /proc counts them

    [Fact]
    public async Task What_tests_have_started_does_not_inherit_ignored_signals_and_ends_when_the_tests_are_killed()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Reads /proc.");
        using var folder = new TemporaryDirectory();
        string file = folder.Combine("left");
        (string program, string[] arguments) = ProgramProcess.CommandOf(
            typeof(ChildProcessTests).Assembly.Location,
            ["-explicit", "only", "-method", $"{typeof(ChildProcessTests).FullName}.{nameof(Leaves_processes_behind)}"]);
        await using ProgramProcess tests = ProgramProcess.Start(
            "/bin/sh",
            folder.Path,
            ["-c", $"trap '' HUP INT QUIT TERM; {FileVariable}={file} exec \"$0\" \"$@\"", program, .. arguments]);
        await Eventually.TrueAsync(() => File.Exists(file) || tests.Exited.IsCompleted);
        Assert.True(File.Exists(file), tests.Describe());
        string[] told = await File.ReadAllLinesAsync(file);
        int[] left = [.. told.Skip(2).Select(static line => int.Parse(line, CultureInfo.InvariantCulture))];
        Assert.Equal(2, left.Length);
        Assert.All(left, static id => Assert.False(ChildProcess.HasEnded(id)));
        Assert.Equal(0, Signals(told[0]) & EndingSignals); // the child ignores none
        Assert.Equal(1, Signals(told[1]) & 1); // the tests themselves survive SIGHUP

        tests.KillAlone();

        await Eventually.TrueAsync(() => left.All(ChildProcess.HasEnded));
    }

    /// <summary>Starts a server and a daemon, and waits to be killed. Run by the test above.</summary>
    [Fact(Explicit = true)]
    public async Task Leaves_processes_behind()
    {
        string? file = Environment.GetEnvironmentVariable(FileVariable);
        Assert.SkipWhen(file is null, "Another test runs this one.");
        await using ServerProcess server = await ServerProcess.StartAsync();
        string[] told =
        [
            await RunAsync("grep SigIgn /proc/self/status"),
            (await File.ReadAllLinesAsync("/proc/self/status")).Single(static line => line.StartsWith("SigCgt", StringComparison.Ordinal)),
            $"{server.Program.Id}",
            await RunAsync("setsid sleep 1000 >/dev/null & echo $!"), // in a session of its own, and its parent ends
        ];
        await File.WriteAllLinesAsync(file + ".part", told);
        File.Move(file + ".part", file);

        await Task.Delay(Timeout.Infinite, TestContext.Current.CancellationToken); // until the process is killed
    }

    [Fact]
    public void No_test_starts_a_process_in_another_way()
    {
        string launcher = Path.Combine("Processes", "ChildProcess.cs");

        string[] own = [launcher, Path.Combine("PlayChat.Simulation", "SinglePool.cs")]; // a program that waits for its own copy

        // The samples stand alone, and so do their tests.
        IEnumerable<string> others = Directory
            .EnumerateFiles(Repository.PathOf("tests"), "*.cs", SearchOption.AllDirectories)
            .Where(file => !own.Any(known => file.EndsWith(known, StringComparison.Ordinal)))
            .Where(static file => ProcessStart().IsMatch(File.ReadAllText(file)));

        Assert.Empty(others);
    }

    private static async Task<string> RunAsync(string script)
    {
        using Process shell = ChildProcess.Start(
            new ProcessStartInfo("/bin/sh", ["-c", script]) { UseShellExecute = false, RedirectStandardOutput = true });
        return (await shell.StandardOutput.ReadToEndAsync()).Trim();
    }

    private static long Signals(string line) =>
        long.Parse(line.Split('\t')[1], NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture);

    [GeneratedRegex(@"(?<![.\w])(?:Process\.Start|new\sProcess)\b", RegexOptions.CultureInvariant, 1000)]
    private static partial Regex ProcessStart();
}
