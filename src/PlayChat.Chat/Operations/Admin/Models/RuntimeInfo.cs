namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>Heap and threads of the server's process.</summary>
/// <param name="HeapBytes">The heap after the last collection.</param>
/// <param name="CommittedBytes">Memory that the collector has taken from the system.</param>
/// <param name="FragmentedBytes">Free memory between objects.</param>
/// <param name="AllocatedBytes">Everything allocated since the start.</param>
/// <param name="AvailableBytes">Memory that the process may use (the machine's, or its container's).</param>
/// <param name="MemoryLoadPercent">How much of that is in use, by all processes.</param>
/// <param name="WorkingSetBytes">Memory of the process.</param>
/// <param name="GcPausePercent">Part of the time since the start in which collections held all threads.</param>
/// <param name="IsServerGc">Whether the collector is the one for servers.</param>
/// <param name="Generations">The generations.</param>
/// <param name="PinnedObjects">Objects that could not be moved in the last collection.</param>
/// <param name="FinalizationQueue">Objects that wait for their finalizers.</param>
/// <param name="Threads">Threads of the process.</param>
/// <param name="PoolThreads">Threads of the pool.</param>
/// <param name="BusyPoolThreads">Those that work.</param>
/// <param name="PendingWorkItems">Work that waits for a thread of the pool. A number that stays above 0 means that handlers block.</param>
/// <param name="CompletedWorkItems">Work items done since the start.</param>
/// <param name="LockContentions">How often a thread waited for a lock since the start.</param>
/// <param name="Timers">Active timers.</param>
/// <param name="Processors">Processors that the process may use.</param>
/// <param name="Runtime">The version of .NET.</param>
/// <param name="System">The operating system.</param>
internal sealed record RuntimeInfo(
    long HeapBytes,
    long CommittedBytes,
    long FragmentedBytes,
    long AllocatedBytes,
    long AvailableBytes,
    double MemoryLoadPercent,
    long WorkingSetBytes,
    double GcPausePercent,
    bool IsServerGc,
    IReadOnlyList<GenerationInfo> Generations,
    long PinnedObjects,
    long FinalizationQueue,
    int Threads,
    int PoolThreads,
    int BusyPoolThreads,
    long PendingWorkItems,
    long CompletedWorkItems,
    long LockContentions,
    long Timers,
    int Processors,
    string Runtime,
    string System);
