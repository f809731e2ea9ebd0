using System.Runtime;
using System.Runtime.InteropServices;
using System.Text.Json.Nodes;

namespace PlayChat.Benchmark.Reports;

/// <summary>Where a run took place: figures mean nothing without it.</summary>
internal static class MachineInfo
{
    public static JsonObject ToJson() => new()
    {
        ["processor"] = Processor(),
        ["processors"] = Environment.ProcessorCount,
        ["memory_bytes"] = GC.GetGCMemoryInfo().TotalAvailableMemoryBytes,
        ["os"] = RuntimeInformation.OSDescription,
        ["architecture"] = RuntimeInformation.ProcessArchitecture.ToString().ToLowerInvariant(),
        ["runtime"] = RuntimeInformation.FrameworkDescription,
        ["client_gc"] = GCSettings.IsServerGC ? "server" : "workstation",
        ["client_gc_latency_mode"] = GCSettings.LatencyMode.ToString(),
    };

    private static string? Processor()
    {
        const string CpuInfo = "/proc/cpuinfo";
        if (!File.Exists(CpuInfo))
        {
            return Environment.GetEnvironmentVariable("PROCESSOR_IDENTIFIER");
        }

        string? line = File.ReadLines(CpuInfo).FirstOrDefault(static line => line.StartsWith("model name", StringComparison.Ordinal));
        return line?[(line.IndexOf(':', StringComparison.Ordinal) + 1)..].Trim();
    }
}
