namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>Heap and threads of the server's process.</summary>
internal sealed record RuntimeInfo(
    long HeapBytes, // after the last collection
    long CommittedBytes, // taken from the system
    long FragmentedBytes, // free, between objects
    long AllocatedBytes, // since the start
    long AvailableBytes, // the machine's, or its container's
    double MemoryLoadPercent, // of the available memory, by all processes
    long WorkingSetBytes,
    double GcPausePercent, // of the time since the start, for which collections held all threads
    bool IsServerGc,
    IReadOnlyList<GenerationInfo> Generations,
    long PinnedObjects, // in the last collection
    long FinalizationQueue,
    int Threads,
    int PoolThreads,
    int BusyPoolThreads,
    long PendingWorkItems, // for a thread of the pool; a number that stays above 0 means that handlers block
    long CompletedWorkItems, // since the start
    long LockContentions, // how often a thread waited for a lock since the start
    long Timers, // active ones
    int Processors, // that the process may use
    string Runtime,
    string System);
