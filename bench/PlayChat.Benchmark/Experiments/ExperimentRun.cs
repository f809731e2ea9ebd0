namespace PlayChat.Benchmark.Experiments;

/// <summary>One run of an experiment: this program once more, as a process of its own, with a report as JSON.</summary>
/// <param name="Subject">Which server: <see cref="Ours"/>, another setting of it, or a baseline's name.</param>
/// <param name="Case">What differs from the experiment's other runs of the subject, as a chart's axis shows it: "64 B", "4×50".</param>
/// <param name="Arguments">The command line: anybody can run it again alone. Without --json, which the runner adds.</param>
internal sealed record ExperimentRun(string Subject, string Case, IReadOnlyList<string> Arguments)
{
    /// <summary>The subject that all others are compared with: PlayChat as it is without any option.</summary>
    public const string Ours = "PlayChat";
}
