using System.Runtime;

namespace PlayChat.Benchmark.Machine;

/// <summary>The machine of a run: figures of different machines do not compare.</summary>
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
        ["playchat"] = typeof(LatencySummary).Assembly.GetName().Version!.ToString(3),
        ["client_gc"] = GCSettings.IsServerGC ? "server" : "workstation",
        ["client_gc_latency_mode"] = GCSettings.LatencyMode.ToString(),
        ["somaxconn"] = Backlog.Read(),
        ["local_ports"] = PortRange.Read() is { } ports ? $"{ports.First}-{ports.Last}" : null,
        ["file_handles"] = FileHandleLimit.Read(),
    };

    private static string? Processor() =>
        SystemLimits.ReadLine("/proc/cpuinfo", "model name") is { } line
            ? line[(line.IndexOf(':', StringComparison.Ordinal) + 1)..].Trim()
            : Environment.GetEnvironmentVariable("PROCESSOR_IDENTIFIER");
}
