namespace PlayChat.Benchmark.Experiments;

/// <summary>The servers that an experiment may measure, and what makes a run measure each.</summary>
internal static class Subjects
{
    /// <summary>PlayChat on its own Linux transport.</summary>
    public const string NativeLinux = "PlayChat, native Linux";

    /// <summary>How <c>--against</c> calls <see cref="NativeLinux"/>.</summary>
    public const string NativeLinuxOption = "native";

    /// <summary>The servers that people would use otherwise, as <c>--baseline</c> and <c>--against</c> call them.</summary>
    public static IReadOnlyList<string> Baselines { get; } = ["kestrel", "async-socket", "blocking-threads", "select"];

    /// <summary>Whether it is PlayChat, in whatever setting.</summary>
    public static bool IsOurs(string subject) => subject.StartsWith(ExperimentRun.Ours, StringComparison.Ordinal);

    /// <summary>What a command line of one run needs to measure this subject.</summary>
    public static IReadOnlyList<string> Arguments(string subject) => subject switch
    {
        ExperimentRun.Ours => [],
        NativeLinux => ["--server", "Transport=linux"],
        _ => ["--baseline", subject],
    };
}
