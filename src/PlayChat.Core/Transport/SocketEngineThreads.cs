using System.Globalization;
using System.Runtime.InteropServices;

namespace PlayChat.Core.Transport;

/// <summary>Lets the runtime's socket engine gather events instead of handing over each by itself (Linux).</summary>
/// <remarks>
/// The engine waits for events on a thread of its own and hands them to the thread pool. Under load that thread, which has slept most of the
/// time, is given the processor as soon as a single event is there, and takes it from the handler that runs: two
/// switches an event, a quarter of all CPU time of an echo. As a "batch" thread (sched(7), SCHED_BATCH) it does not interrupt a
/// running thread; it finds all that has come when the handler waits or its time slice (3 ms) is over. An idle processor
/// still runs it at once, so a quiet server is as quick as before. Measured in bench/README.md, "Next to C".
/// </remarks>
internal static partial class SocketEngineThreads
{
    // The engine's threads carry this name since .NET 5; under another name nothing is changed, and nothing is lost but speed.
    internal const string EngineThreadName = ".NET Sockets";

    private const int SchedBatch = 3; // SCHED_BATCH of linux/sched.h

    private static int s_done;

    /// <summary>Does it, once a process. The engine must be running: an operation on a socket has completed asynchronously.</summary>
    internal static void GatherEvents()
    {
        if (!OperatingSystem.IsLinux() || SocketTransport.RunsInline || Volatile.Read(ref s_done) == 1 || Interlocked.Exchange(ref s_done, 1) == 1)
        {
            return;
        }

        try
        {
            foreach (string task in Directory.EnumerateDirectories("/proc/self/task"))
            {
                if (File.ReadAllText(Path.Combine(task, "comm")).TrimEnd() == EngineThreadName)
                {
                    int priority = 0; // a batch thread has no other
                    _ = SetScheduler(int.Parse(Path.GetFileName(task), CultureInfo.InvariantCulture), SchedBatch, in priority);
                }
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or EntryPointNotFoundException or DllNotFoundException)
        {
            // No /proc, a thread that ended meanwhile, another C library: everything works, less quickly.
        }
    }

    /// <summary>Does it for the calling thread: an event loop of our own, which on a busy machine would interrupt its peers' threads in the same way.</summary>
    /// <remarks>
    /// A thread that it starts (of the pool, the rooms' clock) is no batch thread: the runtime gives each the usual policy. In a natively compiled program it is
    /// one, and may be late by a time slice on a busy processor.
    /// </remarks>
    internal static void GatherEventsHere()
    {
        int priority = 0; // as above; refused, it works as well
        _ = SetScheduler(0, SchedBatch, in priority);
    }

    [LibraryImport("libc", EntryPoint = "sched_setscheduler")]
    private static partial int SetScheduler(int thread, int policy, in int priority);
}
