using System.Diagnostics;
using System.Runtime.InteropServices;

namespace PlayChat.Benchmark.Servers;

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
