namespace PlayChat.Benchmark.Experiments;

/// <summary>How the load speaks to a baseline that has a protocol of its own. A part is null where the baseline has no such mode.</summary>
/// <param name="CreateNetwork">Makes the connections of broadcast and classroom.</param>
/// <param name="CreateEcho">Makes the connections of echo with awaited requests.</param>
internal sealed record LoadClient(Func<IClassroomNetwork>? CreateNetwork, Func<IEchoNetwork>? CreateEcho);

/// <summary>The baselines that have a protocol of their own, and how the load speaks it.</summary>
internal static class LoadClients
{
    private static readonly Dictionary<string, LoadClient> s_all = new(StringComparer.Ordinal);

    /// <summary>Adds one. A program that has more baselines calls it before everything else.</summary>
    public static void Add(string baseline, LoadClient client) => s_all.Add(baseline, client);

    /// <summary>Whether the load reaches a baseline by the baseline's own client library.</summary>
    public static bool Has(string baseline) => s_all.ContainsKey(baseline);

    /// <summary>Makes the connections of broadcast and classroom.</summary>
    public static IClassroomNetwork CreateNetwork(string? baseline, int connections, ITransport transport) =>
        s_all.GetValueOrDefault(baseline ?? "")?.CreateNetwork?.Invoke() ?? new FrameNetwork(connections, transport);

    /// <summary>Makes the connections of echo, if the load speaks another protocol with the baseline.</summary>
    public static Func<IEchoNetwork>? EchoOf(string? baseline) => s_all.GetValueOrDefault(baseline ?? "")?.CreateEcho;
}
