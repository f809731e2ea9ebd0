namespace PlayChat.Benchmark.Experiments;

/// <summary>How the load speaks to a baseline that has a protocol of its own. A part is null where the baseline has no such mode.</summary>
/// <param name="CreateLink">Makes a connection of broadcast and classroom.</param>
/// <param name="ConnectEcho">Connects for echo with awaited requests; throws <see cref="UsageException"/> when that fails.</param>
internal sealed record LoadClient(
    Func<int, FanoutLoad, ClassroomLink>? CreateLink,
    Func<EchoLoad, ServerAddress, CancellationToken, Task<EchoLink>>? ConnectEcho);

/// <summary>The baselines that have a protocol of their own, and how the load speaks it.</summary>
internal static class LoadClients
{
    private static readonly Dictionary<string, LoadClient> s_all = new(StringComparer.Ordinal);

    /// <summary>Adds one. A program that has more baselines calls it before everything else.</summary>
    public static void Add(string baseline, LoadClient client) => s_all.Add(baseline, client);

    /// <summary>The client of a baseline; <see langword="null"/> when it speaks PlayChat's protocols.</summary>
    public static LoadClient? Of(string? baseline) => s_all.GetValueOrDefault(baseline ?? string.Empty);
}
