namespace PlayChat.Benchmark.Experiments;

/// <summary>The servers that an experiment may measure, and the options that select them.</summary>
internal static class Subjects
{
    /// <summary>The server that all others are compared with: PlayChat with its default options.</summary>
    public const string Ours = "PlayChat";

    public const string NativeLinux = "PlayChat, native Linux";

    public const string NativeLinuxOption = "native";

    /// <summary>Ends the name of a server that gets the chat protocol's packets, whose answers name their request.</summary>
    public const string PacketsOf = ", packets";

    /// <summary>Ends the name of a server with which the load awaits each answer by the server's own client library.</summary>
    public const string AwaitedOf = ", awaited";

    public static IReadOnlyList<string> Baselines { get; } = ["kestrel", "async-socket", "blocking-threads"];

    public static bool IsBaseline(string subject) => Baseline.Names.Contains(subject, StringComparer.Ordinal);

    /// <summary>Those servers that serve a mode. PlayChat serves every one.</summary>
    public static IReadOnlyList<string> Serving(IEnumerable<string> subjects, string mode) =>
        subjects.Where(subject => !IsBaseline(subject) || Baseline.Require(subject).Modes.Contains(mode, StringComparer.Ordinal)).ToArray();

    public static bool IsOurs(string subject) => subject.StartsWith(Ours, StringComparison.Ordinal);

    /// <summary>The client library of the load: "PlayChat", or the name of a baseline that the load reaches by its own client.</summary>
    public static string ClientOf(string subject) =>
        subject.Split(',')[0] is var baseline && LoadClients.Of(baseline) is not null ? baseline : Ours;

    public static IReadOnlyList<string> Arguments(string subject) => subject switch
    {
        NativeLinux => ["--server", "Transport=linux"],
        _ when IsOurs(subject) => [],
        _ => ["--baseline", subject.Split(',')[0]],
    };

    /// <summary>What the load of a run does: its arguments without those that select the server and set it up.</summary>
    public static string LoadOf(IReadOnlyList<string> arguments) => string.Join(' ', arguments.Where((argument, i) =>
        argument is not ("--baseline" or "--server") && (i == 0 || arguments[i - 1] is not ("--baseline" or "--server"))));
}

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
