using System.Globalization;
using System.Runtime.InteropServices;

namespace PlayChat.Benchmark.Chat;

/// <summary>Lets the load's event loops gather deliveries instead of interrupting the server for each (Linux).</summary>
/// <remarks>
/// A loop that has slept is given the processor as soon as one delivery is there, takes it from the server's thread in the midst of a
/// broadcast, and sleeps again. As a batch thread (sched(7), SCHED_BATCH) it interrupts nobody, and finds more at once; an idle processor
/// still runs it at once. Measured in bench/README.md, "Chat server".
/// </remarks>
internal static class LoopThreads
{
    private const string LoopName = "PlayChat loop"; // those of the native transport; without it there are none
    private const int SchedBatch = 3; // SCHED_BATCH of linux/sched.h

    /// <summary>Does it for the loops that run: when all are connected.</summary>
    public static void Gather()
    {
        if (!OperatingSystem.IsLinux())
        {
            return;
        }

        try
        {
            foreach (string thread in Directory.EnumerateDirectories("/proc/self/task"))
            {
                if (File.ReadAllText(Path.Combine(thread, "comm")).StartsWith(LoopName, StringComparison.Ordinal))
                {
                    int priority = 0; // a batch thread has no other
                    _ = SetScheduler(int.Parse(Path.GetFileName(thread), CultureInfo.InvariantCulture), SchedBatch, in priority);
                }
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // A thread that ended meanwhile, or no /proc: the load works, and costs more.
        }
    }

    [DllImport("libc", EntryPoint = "sched_setscheduler")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int SetScheduler(int thread, int policy, in int priority);
}
