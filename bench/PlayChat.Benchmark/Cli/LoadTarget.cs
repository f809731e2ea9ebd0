using System.Text.Json.Nodes;
using PlayChat.Benchmark.Figures;
using PlayChat.Benchmark.Run;
using PlayChat.Benchmark.Servers;
using PlayChat.Core.Transport;

namespace PlayChat.Benchmark.Cli;

/// <summary>What all kinds of load are told: how long, against which server, and where the report goes.</summary>
/// <param name="Plan">How long.</param>
/// <param name="Address">A running server; <see langword="null"/>: one is started.</param>
/// <param name="ServerKpiPath">The running server's KPI file, if it is known.</param>
/// <param name="Port">Of the server that is started; 0: a free one.</param>
/// <param name="ServerKeys">More of that server's configuration, key and value.</param>
/// <param name="ServerCores">That server's processors, as taskset wants them; <see langword="null"/>: all.</param>
/// <param name="Transport">Moves the bytes of the load's connections.</param>
/// <param name="JsonPath">Where the report goes as JSON, if at all.</param>
/// <param name="CsvPath">Where it goes as CSV, if at all.</param>
internal sealed record LoadTarget(
    RunPlan Plan,
    ServerAddress? Address,
    string? ServerKpiPath,
    int Port,
    IReadOnlyList<(string Key, string Value)> ServerKeys,
    string? ServerCores,
    ITransport Transport,
    string? JsonPath,
    string? CsvPath)
{
    /// <summary>The settings of <see cref="Transport"/>.</summary>
    public required LoadTransport TransportSettings { get; init; }

    /// <summary>The baseline that is started in place of PlayChat.Server, if any.</summary>
    public string? Baseline { get; init; }

    /// <summary>The report to compare with, if any.</summary>
    public JsonObject? Earlier { get; init; }

    /// <summary>What makes it fail.</summary>
    public IReadOnlyList<FailCondition> Conditions { get; init; } = [];
}
