using System.Diagnostics;
using System.Runtime.InteropServices;

namespace PlayChat.Kpi;

/// <summary>What the process has used since its start: all of it, not only the server's part.</summary>
/// <param name="CpuTime">Processor time in user and kernel mode, of all threads.</param>
/// <param name="WorkingSetBytes">Physical memory now.</param>
/// <param name="PeakWorkingSetBytes">The most physical memory so far, as the system tells it; never below the present value.</param>
/// <param name="Gc0">Collections of generation 0 or higher.</param>
/// <param name="Gc1">Collections of generation 1 or higher.</param>
/// <param name="Gc2">Full collections.</param>
/// <param name="GcPause">Time for which the collector held all threads.</param>
/// <param name="AllocatedBytes">Managed memory allocated, collected since or not.</param>
[StructLayout(LayoutKind.Auto)]
public readonly record struct ProcessFigures(
    TimeSpan CpuTime, long WorkingSetBytes, long PeakWorkingSetBytes, int Gc0, int Gc1, int Gc2, TimeSpan GcPause, long AllocatedBytes)
{
    /// <summary>Reads the figures of this process.</summary>
    public static ProcessFigures Read()
    {
        using var process = Process.GetCurrentProcess();
        long workingSet = process.WorkingSet64;
        return new ProcessFigures(
            process.TotalProcessorTime,
            workingSet,
            // macOS keeps no peak and answers 0.
            Math.Max(process.PeakWorkingSet64, workingSet),
            GC.CollectionCount(0),
            GC.CollectionCount(1),
            GC.CollectionCount(2),
            GC.GetTotalPauseDuration(),
            GC.GetTotalAllocatedBytes());
    }
}
