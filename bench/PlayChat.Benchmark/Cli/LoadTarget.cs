using PlayChat.Benchmark.Run;
using PlayChat.Benchmark.Servers;

namespace PlayChat.Benchmark.Cli;

/// <summary>What all kinds of load are told: how long, against which server, and where the report goes.</summary>
/// <param name="Plan">How long.</param>
/// <param name="Address">A running server; <see langword="null"/>: one is started.</param>
/// <param name="ServerKpiPath">The running server's KPI file, if it is known.</param>
/// <param name="Port">Of the server that is started; 0: a free one.</param>
/// <param name="JsonPath">Where the report goes as JSON, if at all.</param>
/// <param name="CsvPath">Where it goes as CSV, if at all.</param>
internal sealed record LoadTarget(RunPlan Plan, ServerAddress? Address, string? ServerKpiPath, int Port, string? JsonPath, string? CsvPath);
