namespace PlayChat.Core.Transport;

/// <summary>Makes the runtime's socket engine gather events on Linux, instead of handing over each event by itself.</summary>
/// <remarks>
/// The engine waits for events on a thread of its own and hands them to the thread pool. That thread sleeps most of the time, so under load
/// the scheduler lets it interrupt a running handler as soon as one event is there. This costs two switches per event, a quarter of all CPU
/// time of an echo. A "batch" thread (sched(7), SCHED_BATCH) does not interrupt a running thread: it collects every event that arrives
/// until the handler waits or its time slice (3 ms) ends. An idle processor still runs the engine at once, so a quiet server is as fast as
/// before. Measured in bench/README.md, "Next to C".
/// </remarks>
internal static partial class SocketEngineThreads
{
    // The runtime has named the engine's threads so since .NET 5. If a later runtime renames them, only this gain in speed is lost.
    internal const string EngineThreadName = ".NET Sockets";

    private const int SchedBatch = 3; // SCHED_BATCH of linux/sched.h

    private static int s_done;

    /// <summary>Makes the engine's threads batch threads, once per process. Call it when an operation on a socket has completed
    /// asynchronously: the engine runs by then.</summary>
    internal static void GatherEvents()
    {
        if (!OperatingSystem.IsLinux() || SocketTransport.RunsInline || Volatile.Read(ref s_done) == 1
            || Interlocked.Exchange(ref s_done, 1) == 1)
        {
            return;
        }

        try
        {
            foreach (string task in Directory.EnumerateDirectories("/proc/self/task"))
            {
                if (File.ReadAllText(Path.Combine(task, "comm")).TrimEnd() == EngineThreadName)
                {
                    int priority = 0; // the only priority that a batch thread may have
                    _ = SetScheduler(int.Parse(Path.GetFileName(task), CultureInfo.InvariantCulture), SchedBatch, in priority);
                }
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or EntryPointNotFoundException or DllNotFoundException)
        {
            // No /proc, a thread that ended meanwhile, or another C library: everything works, only slower.
        }
    }

    [LibraryImport("libc", EntryPoint = "sched_setscheduler")]
    private static partial int SetScheduler(int thread, int policy, in int priority);
}
