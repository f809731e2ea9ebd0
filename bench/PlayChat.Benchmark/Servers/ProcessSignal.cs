using System.Diagnostics;
using System.Runtime.InteropServices;

namespace PlayChat.Benchmark.Servers;

/// <summary>Asks a process to end.</summary>
internal static class ProcessSignal
{
    private const int SigTerm = 15;

    /// <summary>Sends SIGTERM, by the process's id. Windows has no such thing between processes without a console in common: there it is ended at once.</summary>
    public static void Terminate(Process process)
    {
        if (OperatingSystem.IsWindows())
        {
            process.Kill();
        }
        else
        {
            _ = Kill(process.Id, SigTerm); // fails when it has just ended, which is what is wanted
        }
    }

    [DllImport("libc", EntryPoint = "kill")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int Kill(int pid, int signal);
}
