using PlayChat.Benchmark.Classroom;
using PlayChat.Benchmark.Echo;

namespace PlayChat.Benchmark.Cli;

/// <summary>The baselines that have a protocol of their own, and how the load speaks it.</summary>
internal static class LoadClients
{
    private static readonly Dictionary<string, LoadClient> s_all = new(StringComparer.Ordinal);

    /// <summary>Adds one. A program that has more baselines calls it before everything else.</summary>
    public static void Add(string baseline, LoadClient client) => s_all.Add(baseline, client);

    /// <summary>Whether the load speaks another protocol with a baseline in broadcast and classroom.</summary>
    public static bool HasNetwork(string? baseline) => Find(baseline)?.CreateNetwork is not null;

    /// <summary>Makes the connections of broadcast and classroom.</summary>
    public static IClassroomNetwork CreateNetwork(LoadTarget target, int connections) =>
        Find(target.Baseline)?.CreateNetwork?.Invoke() ?? new FrameNetwork(connections, target.Transport);

    /// <summary>Makes the connections of echo, if the load speaks another protocol with the baseline.</summary>
    public static IEchoNetwork? CreateEcho(LoadTarget target) => Find(target.Baseline)?.CreateEcho?.Invoke();

    private static LoadClient? Find(string? baseline) => baseline is null ? null : s_all.GetValueOrDefault(baseline);
}
