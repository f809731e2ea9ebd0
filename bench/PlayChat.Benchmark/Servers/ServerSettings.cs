namespace PlayChat.Benchmark.Servers;

/// <summary>Which server a scenario needs, when the benchmark starts it.</summary>
/// <param name="Mode">The server's <c>--mode</c>.</param>
/// <param name="Port">0: a free one.</param>
/// <param name="Keys">More of its configuration, key and value.</param>
/// <param name="Cores">The processors it may use, as taskset wants them; <see langword="null"/>: those of this process.</param>
internal sealed record ServerSettings(string Mode, int Port, IReadOnlyList<(string Key, string Value)> Keys, string? Cores = null)
{
    /// <summary>The baseline that takes its place; <see langword="null"/>: PlayChat.Server.</summary>
    public string? Baseline { get; init; }
}
