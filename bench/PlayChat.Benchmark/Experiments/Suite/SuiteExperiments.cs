using PlayChat.Benchmark.Experiments.ChatFanout;
using PlayChat.Benchmark.Experiments.ClassroomBroadcast;
using PlayChat.Benchmark.Experiments.Cluster;
using PlayChat.Benchmark.Experiments.ConnectionRamp;
using PlayChat.Benchmark.Experiments.RequestReply;
using PlayChat.Benchmark.Experiments.Stream;
using PlayChat.Benchmark.Servers.Cluster;

namespace PlayChat.Benchmark.Experiments.Suite;

/// <summary>The experiments of the suite, in its order.</summary>
internal static class SuiteExperiments
{
    /// <summary>All of them.</summary>
    /// <param name="size">How large and how long they are.</param>
    /// <param name="settings">What is common to them.</param>
    /// <param name="engines">
    /// The engines of the cluster; <see langword="null"/> for all of them, and none for a suite without that experiment.
    /// </param>
    public static IReadOnlyList<Experiment> Create(
        SuiteSize size, ExperimentSettings settings, IReadOnlyList<ClusterEngine>? engines = null) =>
    [
        ChatFanoutExperiment.Create(
            Choose(size, ChatFanoutParameters.Smoke, ChatFanoutParameters.Quick, ChatFanoutParameters.Standard, ChatFanoutParameters.Full),
            settings),
        RequestReplyExperiment.Create(
            Choose(
                size,
                RequestReplyParameters.Smoke,
                RequestReplyParameters.Quick,
                RequestReplyParameters.Standard,
                RequestReplyParameters.Full),
            settings),
        StreamExperiment.Create(
            Choose(size, StreamParameters.Smoke, StreamParameters.Quick, StreamParameters.Standard, StreamParameters.Full), settings),
        ClassroomBroadcastExperiment.Create(
            Choose(
                size,
                ClassroomBroadcastParameters.Smoke,
                ClassroomBroadcastParameters.Quick,
                ClassroomBroadcastParameters.Standard,
                ClassroomBroadcastParameters.Full),
            settings),
        ConnectionRampExperiment.Create(
            Choose(
                size,
                ConnectionRampParameters.Smoke,
                ConnectionRampParameters.Quick,
                ConnectionRampParameters.Standard,
                ConnectionRampParameters.Full),
            settings),
        .. engines?.Count == 0 ? Array.Empty<Experiment>() :
        [
            ClusterExperiment.Create(
                Choose(size, ClusterParameters.Smoke, ClusterParameters.Quick, ClusterParameters.Standard, ClusterParameters.Full),
                engines ?? Enum.GetValues<ClusterEngine>()),
        ],
    ];

    private static T Choose<T>(SuiteSize size, T smoke, T quick, T standard, T full) => size switch
    {
        SuiteSize.Smoke => smoke,
        SuiteSize.Quick => quick,
        SuiteSize.Standard => standard,
        _ => full,
    };
}
