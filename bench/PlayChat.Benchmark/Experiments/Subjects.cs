namespace PlayChat.Benchmark.Experiments;

/// <summary>The servers that an experiment may measure, and the options that select them.</summary>
internal static class Subjects
{
    /// <summary>PlayChat on its own Linux transport.</summary>
    public const string NativeLinux = "PlayChat, native Linux";

    /// <summary>The name of <see cref="NativeLinux"/> in <c>--against</c>.</summary>
    public const string NativeLinuxOption = "native";

    /// <summary>The baseline servers, by their names in <c>--baseline</c> and <c>--against</c>.</summary>
    public static IReadOnlyList<string> Baselines { get; } = ["kestrel", "async-socket", "blocking-threads", "select"];

    /// <summary>Whether a server is PlayChat, in any setting.</summary>
    public static bool IsOurs(string subject) => subject.StartsWith(ExperimentRun.Ours, StringComparison.Ordinal);

    /// <summary>The options that make a run measure a server.</summary>
    public static IReadOnlyList<string> Arguments(string subject) => subject switch
    {
        ExperimentRun.Ours => [],
        NativeLinux => ["--server", "Transport=linux"],
        _ => ["--baseline", subject],
    };
}
