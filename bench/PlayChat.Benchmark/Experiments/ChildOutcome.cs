using System.Text.Json.Nodes;

namespace PlayChat.Benchmark.Experiments;

/// <summary>How a run of this program as a process of its own went.</summary>
/// <param name="ExitCode">Its exit code.</param>
/// <param name="Report">What it wrote, if it did.</param>
/// <param name="Complaint">What it said of what went wrong, if it did: one line.</param>
internal sealed record ChildOutcome(int ExitCode, JsonObject? Report, string? Complaint);
