namespace PlayChat.Benchmark.Servers;

/// <summary>Which server a scenario needs, when the benchmark starts it.</summary>
/// <param name="Mode">The server's <c>--mode</c>.</param>
/// <param name="Port">0: a free one.</param>
/// <param name="Keys">More of its configuration, key and value.</param>
internal sealed record ServerSettings(string Mode, int Port, IReadOnlyList<(string Key, string Value)> Keys);
