using PlayChat.Benchmark.Experiments.ChatFanout;
using PlayChat.Benchmark.Experiments.ClassroomBroadcast;
using PlayChat.Benchmark.Experiments.ConnectionRamp;
using PlayChat.Benchmark.Experiments.RequestReply;
using PlayChat.Benchmark.Experiments.Stream;

namespace PlayChat.Benchmark.Experiments.Suite;

/// <summary>The experiments of the suite, in its order.</summary>
internal static class SuiteExperiments
{
    /// <summary>All of them.</summary>
    /// <param name="quick">Whether small and short.</param>
    /// <param name="settings">What is common to them.</param>
    public static IReadOnlyList<Experiment> Create(bool quick, ExperimentSettings settings) =>
    [
        ChatFanoutExperiment.Create(quick ? ChatFanoutParameters.Quick : ChatFanoutParameters.Full, settings),
        RequestReplyExperiment.Create(quick ? RequestReplyParameters.Quick : RequestReplyParameters.Full, settings),
        StreamExperiment.Create(quick ? StreamParameters.Quick : StreamParameters.Full, settings),
        ClassroomBroadcastExperiment.Create(quick ? ClassroomBroadcastParameters.Quick : ClassroomBroadcastParameters.Full, settings),
        ConnectionRampExperiment.Create(quick ? ConnectionRampParameters.Quick : ConnectionRampParameters.Full, settings),
    ];
}
