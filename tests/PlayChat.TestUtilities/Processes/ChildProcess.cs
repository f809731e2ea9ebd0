using System.Diagnostics;
using System.Runtime.InteropServices;

namespace PlayChat.TestUtilities.Processes;

/// <summary>Starts the processes of tests: no test starts one without it.</summary>
/// <remarks>
/// A child does not depend on how the tests were started: the signals that end a process have their default effect, also under
/// <c>nohup</c>. On Linux nothing that a test has started outlives the tests, even when they are killed: children inherit an environment
/// variable, and a watchdog beside the tests kills every process that holds it.
/// </remarks>
public static class ChildProcess
{
    /// <summary>The environment variable that marks the processes of this run: <see cref="Run"/>.</summary>
    public const string Variable = "CHILD_OF_TEST_RUN";

    private const int IgnoredSignal = 1; // SIG_IGN

    // Reads until the tests have ended. Compilers serve other builds as well, and end by themselves.
    private const string WatchdogScript =
        """
        trap '' HUP INT TERM
        exec >/dev/null 2>&1
        cd /
        while read -r line; do :; done
        round=0
        while [ $round -lt 100 ]; do
            found=
            for file in $(grep -lszFx "$1=$2" /proc/[0-9]*/environ); do
                process=${file#/proc/}
                process=${process%/environ}
                grep -qsE 'VBCSCompiler|/nodemode:' "/proc/$process/cmdline" && continue
                kill -KILL "$process" && found=1
            done
            [ "$found" ] || break
            round=$((round + 1))
            sleep 0.1
        done
        rm -rf "$3"/playchat-*-"$2"-*
        """;

    private static readonly Process? s_watchdog; // its input ends with this process
    private static int s_folders;

    static ChildProcess()
    {
        // For processes that the code under test starts.
        Environment.SetEnvironmentVariable(Variable, Run);
        Environment.SetEnvironmentVariable("DOTNET_TieredPGO", "0"); // as in the tests' own processes
        // The runtime's default of 100 ms, in hexadecimal. With the server's own 0 a start costs 1.7 times the processor time.
        Environment.SetEnvironmentVariable("DOTNET_TC_CallCountingDelayMs", "64");
        if (!OperatingSystem.IsWindows())
        {
            HandleIgnoredSignals();
        }

        s_watchdog = StartWatchdog();
    }

    /// <summary>The name of this run of tests.</summary>
    public static string Run { get; } = Guid.NewGuid().ToString("N");

    /// <summary>Starts a process.</summary>
    public static Process Start(ProcessStartInfo start)
    {
        ArgumentNullException.ThrowIfNull(start);
        start.Environment[Variable] = Run;
        return Process.Start(start)!;
    }

    /// <summary>The path of a folder for what a process keeps. It is not created; what is left of it at the end of the tests is
    /// deleted.</summary>
    /// <param name="program">Whose it is.</param>
    public static string NewFolder(string program) => Path.Combine(
        Path.GetTempPath(), FormattableString.Invariant($"playchat-{program}-{Run}-{Interlocked.Increment(ref s_folders)}"));

    /// <summary>Whether a process has ended, also when its parent does not collect it. Linux.</summary>
    public static bool HasEnded(int processId)
    {
        try
        {
            return File.ReadAllText(FormattableString.Invariant($"/proc/{processId}/stat")).Contains(") Z ", StringComparison.Ordinal);
        }
        catch (IOException)
        {
            return true;
        }
    }

    // A child inherits that a signal is ignored, and it does not inherit a handler. With a handler that does nothing these tests still
    // survive the signal, and their children have its default effect. The runtime itself leaves ignored signals alone.
    private static void HandleIgnoredSignals()
    {
        // getpid is a function that may be called at any time and has no effect.
        nint nothing = NativeLibrary.GetExport(NativeLibrary.Load("libc", typeof(ChildProcess).Assembly, searchPath: null), "getpid");
        Span<nint> action = stackalloc nint[64]; // a struct sigaction, which begins with the handler
        foreach (int signal in (ReadOnlySpan<int>)[1, 2, 3, 15]) // SIGHUP, SIGINT, SIGQUIT, SIGTERM: the same numbers everywhere
        {
            if (SignalAction(signal, 0, ref MemoryMarshal.GetReference(action)) == 0 && action[0] == IgnoredSignal)
            {
                _ = Signal(signal, nothing);
            }
        }
    }

    private static Process? StartWatchdog()
    {
        const string SetSid = "/usr/bin/setsid";
        if (!OperatingSystem.IsLinux() || !File.Exists(SetSid))
        {
            return null;
        }

        // In a session of its own, so that what ends the tests does not end it.
        var start = new ProcessStartInfo(SetSid, ["/bin/sh", "-c", WatchdogScript, "watchdog", Variable, Run, Path.GetTempPath()])
        {
            UseShellExecute = false,
            RedirectStandardInput = true,
        };
        start.Environment.Remove(Variable);
        return Process.Start(start);
    }

    [DllImport("libc", EntryPoint = "sigaction")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    private static extern int SignalAction(int signal, nint action, ref nint former);

    [DllImport("libc", EntryPoint = "signal")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    private static extern nint Signal(int signal, nint handler);
}
