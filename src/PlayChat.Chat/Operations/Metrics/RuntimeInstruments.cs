using System.Diagnostics;
using System.Diagnostics.Metrics;

namespace PlayChat.Chat.Operations.Metrics;

/// <summary>What the process and the .NET runtime use.</summary>
/// <remarks>
/// The names follow the runtime's own meter, System.Runtime, which .NET has from version 9 on, and OpenTelemetry's conventions for
/// processes. Where those end in ".count" these do not: Prometheus keeps that ending for histograms. The names are the same on every
/// runtime.
/// </remarks>
internal static class RuntimeInstruments
{
    public static void AddTo(Meter meter)
    {
        AddProcess(meter);
        AddCollector(meter);
        AddThreads(meter);
    }

    private static void AddProcess(Meter meter)
    {
        meter.CreateObservableCounter(
            "process.cpu.time",
            () => Read(static process => process.TotalProcessorTime.TotalSeconds),
            "s",
            "Processor time of all threads.");
        meter.CreateObservableGauge(
            "process.memory.usage", () => Read(static process => process.WorkingSet64), "By", "Physical memory in use.");
        meter.CreateObservableGauge("process.threads", () => Read(static process => process.Threads.Count), "{thread}", "Threads.");
        double seconds = (Read(static process => process.StartTime.ToUniversalTime()) - DateTime.UnixEpoch).TotalSeconds;
        meter.CreateObservableGauge(
            "process.start_time", () => seconds, "s", "When the process started, in seconds since 1970 (UTC).");
        meter.CreateObservableGauge(
            "process.cpus", static () => Environment.ProcessorCount, "{cpu}", "Processors that the process may use.");
    }

    private static void AddCollector(Meter meter)
    {
        meter.CreateObservableCounter(
            "dotnet.gc.collections",
            static () => Generations(static generation =>
                GC.CollectionCount(generation) - (generation < GC.MaxGeneration ? GC.CollectionCount(generation + 1) : 0)),
            "{collection}",
            "Garbage collections, by the oldest generation that was collected.");
        meter.CreateObservableCounter(
            "dotnet.gc.pause.time",
            static () => GC.GetTotalPauseDuration().TotalSeconds,
            "s",
            "Time for which collections held all threads.");
        meter.CreateObservableCounter(
            "dotnet.gc.heap.total_allocated",
            static () => GC.GetTotalAllocatedBytes(),
            "By",
            "Managed memory allocated since the start.");
        meter.CreateObservableGauge(
            "dotnet.gc.last_collection.memory.committed_size",
            static () => GC.GetGCMemoryInfo().TotalCommittedBytes,
            "By",
            "Memory committed for the heap at the last collection.");
        meter.CreateObservableGauge(
            "dotnet.gc.last_collection.heap.size",
            static () => GC.GetGCMemoryInfo().HeapSizeBytes, "By", "Size of the managed heap after the last collection.");
    }

    private static void AddThreads(Meter meter)
    {
        meter.CreateObservableGauge(
            "dotnet.thread_pool.threads", static () => ThreadPool.ThreadCount, "{thread}", "Threads of the thread pool.");
        meter.CreateObservableGauge(
            "dotnet.thread_pool.queue.length", static () => ThreadPool.PendingWorkItemCount, "{work_item}", "Work items that wait.");
        meter.CreateObservableCounter(
            "dotnet.thread_pool.work_items",
            static () => ThreadPool.CompletedWorkItemCount, "{work_item}", "Work that the thread pool has done.");
        meter.CreateObservableCounter(
            "dotnet.monitor.lock_contentions", static () => Monitor.LockContentionCount, "{contention}", "Waits of threads for a lock.");
    }

    private static IEnumerable<Measurement<int>> Generations(Func<int, int> read) => Enumerable.Range(0, GC.MaxGeneration + 1)
        .Select(generation => new Measurement<int>(
            read(generation), new KeyValuePair<string, object?>("gc.heap.generation", $"gen{generation}")));

    private static T Read<T>(Func<Process, T> read)
    {
        using var process = Process.GetCurrentProcess();
        return read(process);
    }
}
