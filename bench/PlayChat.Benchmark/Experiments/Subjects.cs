using PlayChat.Benchmark.Baselines;

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
    public const string KestrelPackets = Kestrel + PacketsOf;

    /// <summary>Ends the name of a baseline that speaks the chat protocol's packets, or has requests of its own.</summary>
    public const string PacketsOf = ", packets";

    /// <summary>
    /// PlayChat's chat protocol, where answers name their request. The baselines know it by <see cref="KestrelPackets"/> alone, so all
    /// others are compared in the length4 framing.
    /// </summary>
    public const string Packets = "PlayChat, packets";

    /// <summary>The baseline servers that experiments compare with by default, by their names in <c>--baseline</c>.</summary>
    public static IReadOnlyList<string> Baselines { get; } = [Kestrel, "async-socket", "blocking-threads", "select"];

    /// <summary>All servers that may follow <c>--against</c>: more than <see cref="Baselines"/> where another program adds some.</summary>
    public static IReadOnlyList<string> All => Baseline.Names;

    /// <summary>Whether a server is a baseline.</summary>
    public static bool IsBaseline(string subject) => All.Contains(subject, StringComparer.Ordinal);

    /// <summary>Those servers that serve a mode. PlayChat serves every one.</summary>
    public static IReadOnlyList<string> Serving(IEnumerable<string> subjects, string mode) =>
        subjects.Where(subject => !IsBaseline(subject) || Baseline.ModesOf(subject).Contains(mode, StringComparer.Ordinal)).ToArray();

    /// <summary>Whether a server is PlayChat, in any setting.</summary>
    public static bool IsOurs(string subject) => subject.StartsWith(ExperimentRun.Ours, StringComparison.Ordinal);

    /// <summary>Which of PlayChat's settings does the same work as another server, and so is compared with it.</summary>
    public static string OursBeside(string subject) =>
        subject.EndsWith(PacketsOf, StringComparison.Ordinal) ? Packets : ExperimentRun.Ours;

    /// <summary>The options that make a run measure a server.</summary>
    public static IReadOnlyList<string> Arguments(string subject) => subject switch
    {
        ExperimentRun.Ours => [],
        NativeLinux => ["--server", "Transport=linux"],
        _ => ["--baseline", subject],
    };
}
