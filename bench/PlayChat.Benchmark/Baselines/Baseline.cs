namespace PlayChat.Benchmark.Baselines;

/// <summary>The servers that PlayChat is compared with.</summary>
internal static class Baseline
{
    private static readonly (string Name, Func<BaselineSettings, Task<IBaselineServer>> StartAsync)[] s_all =
    [
        ("kestrel", KestrelServer.StartAsync),
        ("async-socket", static settings => Task.FromResult<IBaselineServer>(new AsyncSocketServer(settings))),
        ("blocking-threads", static settings => Task.FromResult<IBaselineServer>(new BlockingThreadsServer(settings))),
        ("select", static settings => Task.FromResult<IBaselineServer>(new SelectServer(settings))),
    ];

    /// <summary>What they are called.</summary>
    public static IReadOnlyList<string> Names { get; } = s_all.Select(static baseline => baseline.Name).ToArray();

    /// <summary>The modes that a baseline has, as the command line names them.</summary>
    public static IReadOnlyList<string> ModesOf(string name) =>
        name == "kestrel" ? ["echo", "broadcast", "classroom", "chat"] : ["echo", "broadcast", "classroom"];

    /// <summary>Starts one.</summary>
    /// <param name="name">One of <see cref="Names"/>.</param>
    /// <param name="settings">What it does.</param>
    /// <exception cref="System.Net.Sockets.SocketException">The port is taken.</exception>
    public static Task<IBaselineServer> StartAsync(string name, BaselineSettings settings) =>
        s_all.First(baseline => baseline.Name == name).StartAsync(settings);
}
