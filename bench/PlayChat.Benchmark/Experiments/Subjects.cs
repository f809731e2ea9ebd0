namespace PlayChat.Benchmark.Experiments;

/// <summary>The servers that an experiment may measure, and the options that select them.</summary>
internal static class Subjects
{
    /// <summary>PlayChat on its own Linux transport.</summary>
    public const string NativeLinux = "PlayChat, native Linux";

    /// <summary>The name of <see cref="NativeLinux"/> in <c>--against</c>.</summary>
    public const string NativeLinuxOption = "native";

    /// <summary>The baseline that other rows are made of.</summary>
    public const string Kestrel = "kestrel";

    /// <summary>Kestrel with the chat protocol's packets: protobuf and request ids, as PlayChat has them.</summary>
    public const string KestrelPackets = "kestrel, packets";

    /// <summary>
    /// PlayChat's chat protocol, where answers name their request. The baselines know it by <see cref="KestrelPackets"/> alone, so all
    /// others are compared in the length4 framing.
    /// </summary>
    public const string Packets = "PlayChat, packets";

    /// <summary>The baseline servers, by their names in <c>--baseline</c> and <c>--against</c>.</summary>
    public static IReadOnlyList<string> Baselines { get; } = [Kestrel, "async-socket", "blocking-threads", "select"];

    /// <summary>Whether a server is PlayChat, in any setting.</summary>
    public static bool IsOurs(string subject) => subject.StartsWith(ExperimentRun.Ours, StringComparison.Ordinal);

    /// <summary>Which of PlayChat's settings does the same work as another server, and so is compared with it.</summary>
    public static string OursBeside(string subject) => subject == KestrelPackets ? Packets : ExperimentRun.Ours;

    /// <summary>The options that make a run measure a server.</summary>
    public static IReadOnlyList<string> Arguments(string subject) => subject switch
    {
        ExperimentRun.Ours => [],
        NativeLinux => ["--server", "Transport=linux"],
        _ => ["--baseline", subject],
    };
}
