using System.Diagnostics;
using System.Runtime;
using System.Runtime.InteropServices;
using PlayChat.Chat.Operations.Admin.Models;

namespace PlayChat.Chat.Operations.Admin;

/// <summary>Reads heap and threads of the process. It neither collects nor stops anything.</summary>
internal static class RuntimeReader
{
    private static readonly string[] s_names = ["gen0", "gen1", "gen2", "large objects", "pinned objects"];

    public static RuntimeInfo Read()
    {
        GCMemoryInfo memory = GC.GetGCMemoryInfo();
        using var process = Process.GetCurrentProcess();
        ThreadPool.GetAvailableThreads(out int available, out _);
        ThreadPool.GetMaxThreads(out int most, out _);
        ReadOnlySpan<GCGenerationInfo> sizes = memory.GenerationInfo;
        var generations = new GenerationInfo[Math.Min(sizes.Length, s_names.Length)];
        for (int i = 0; i < generations.Length; i++)
        {
            generations[i] = new GenerationInfo(
                s_names[i],
                sizes[i].SizeAfterBytes,
                sizes[i].FragmentationAfterBytes,
                i <= GC.MaxGeneration ? GC.CollectionCount(i) : null);
        }

        double load = memory.TotalAvailableMemoryBytes > 0
            ? 100.0 * memory.MemoryLoadBytes / memory.TotalAvailableMemoryBytes
            : 0; // before the first collection
        return new RuntimeInfo(
            memory.HeapSizeBytes,
            memory.TotalCommittedBytes,
            memory.FragmentedBytes,
            GC.GetTotalAllocatedBytes(),
            memory.TotalAvailableMemoryBytes,
            Math.Round(load, 1),
            process.WorkingSet64,
            memory.PauseTimePercentage,
            GCSettings.IsServerGC,
            generations,
            memory.PinnedObjectsCount,
            memory.FinalizationPendingCount,
            process.Threads.Count,
            ThreadPool.ThreadCount,
            most - available,
            ThreadPool.PendingWorkItemCount,
            ThreadPool.CompletedWorkItemCount,
            Monitor.LockContentionCount,
            Timer.ActiveCount,
            Environment.ProcessorCount,
            RuntimeInformation.FrameworkDescription,
            RuntimeInformation.OSDescription);
    }
}
