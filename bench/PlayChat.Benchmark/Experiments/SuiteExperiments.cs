using PlayChat.Benchmark.Experiments.RequestReply;
using PlayChat.Benchmark.Experiments.Stream;

namespace PlayChat.Benchmark.Experiments;

/// <summary>The experiments of the suite, in its order.</summary>
internal static class SuiteExperiments
{
    /// <summary>All of them.</summary>
    /// <param name="quick">Whether small and short.</param>
    /// <param name="settings">What is common to them.</param>
    public static IReadOnlyList<Experiment> Create(bool quick, ExperimentSettings settings) =>
    [
        StreamExperiment.Create(quick ? StreamParameters.Quick : StreamParameters.Full, settings.Subjects(StreamExperiment.StandardSubjects)),
        RequestReplyExperiment.Create(quick ? RequestReplyParameters.Quick : RequestReplyParameters.Full, settings.Subjects(RequestReplyExperiment.StandardSubjects)),
    ];
}
