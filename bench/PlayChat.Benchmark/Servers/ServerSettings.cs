namespace PlayChat.Benchmark.Servers;

/// <summary>The settings of a server that the benchmark starts.</summary>
/// <param name="Mode">The server's <c>--mode</c>.</param>
/// <param name="Port">Its port; 0 for a free one.</param>
/// <param name="Keys">More options of the server, key and value.</param>
/// <param name="Cores">Its processors, in the form of taskset; <see langword="null"/> for those of this process.</param>
internal sealed record ServerSettings(string Mode, int Port, IReadOnlyList<(string Key, string Value)> Keys, string? Cores = null)
{
    /// <summary>The baseline to start instead; <see langword="null"/> for PlayChat.Server.</summary>
    public string? Baseline { get; init; }

    /// <summary>How the server reaches its database, if it is not a file. Secret: it is not on the command line.</summary>
    public string? ConnectionString { get; init; }
}
