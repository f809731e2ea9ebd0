namespace PlayChat.Benchmark.Experiments;

/// <summary>One run of an experiment: this program in a process of its own, with a report as JSON.</summary>
/// <param name="Subject">The server: <see cref="Ours"/>, another setting of PlayChat, or a baseline's name.</param>
/// <param name="Case">What differs from the experiment's other runs of the subject, as a chart's axis shows it: "64 B", "4×50".</param>
/// <param name="Arguments">The command line, without --json, which the runner adds.</param>
internal sealed record ExperimentRun(string Subject, string Case, IReadOnlyList<string> Arguments)
{
    /// <summary>The server that all others are compared with: PlayChat with its default options.</summary>
    public const string Ours = "PlayChat";
}
