namespace PlayChat.Benchmark.Baselines;

/// <summary>The servers that PlayChat is compared with.</summary>
internal static class Baseline
{
    private static readonly string[] s_plain = ["echo", "broadcast", "classroom"];

    private static readonly List<BaselineKind> s_all =
    [
        new("kestrel", [.. s_plain, "chat"], KestrelServer.StartAsync),
        new("async-socket", s_plain, static settings => Task.FromResult<IBaselineServer>(new AsyncSocketServer(settings))),
        new("blocking-threads", s_plain, static settings => Task.FromResult<IBaselineServer>(new BlockingThreadsServer(settings))),
        new("select", s_plain, static settings => Task.FromResult<IBaselineServer>(new SelectServer(settings))),
    ];

    /// <summary>Their names.</summary>
    public static IReadOnlyList<string> Names => s_all.Select(static baseline => baseline.Name).ToArray();

    /// <summary>Adds one. A program that has more of them calls it before everything else.</summary>
    public static void Add(BaselineKind baseline) => s_all.Add(baseline);

    /// <summary>The modes of a baseline, as the command line names them.</summary>
    public static IReadOnlyList<string> ModesOf(string name) => Find(name).Modes;

    /// <summary>Starts one.</summary>
    /// <param name="name">One of <see cref="Names"/>.</param>
    /// <param name="settings">What it does.</param>
    /// <exception cref="System.Net.Sockets.SocketException">The port is taken.</exception>
    public static Task<IBaselineServer> StartAsync(string name, BaselineSettings settings) => Find(name).StartAsync(settings);

    private static BaselineKind Find(string name) => s_all.First(baseline => baseline.Name == name);
}
