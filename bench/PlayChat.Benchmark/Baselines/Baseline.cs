using System.Security.Cryptography.X509Certificates;

namespace PlayChat.Benchmark.Baselines;

/// <summary>What a baseline server does with what it receives. PlayChat.Server has the same modes.</summary>
internal enum BaselineMode
{
    Echo, // 4-byte big-endian length and body, sent back as they came
    Chat, // logins and echo requests of the chat protocol: protobuf messages whose answers name their request
    Broadcast, // length(2) + sender(2) + payload, passed on to every connection of the sender's room
}

/// <param name="Rooms">Of a broadcast: connection k, counted from 1 in the order of acceptance, is in room k mod Rooms.</param>
/// <param name="Port">On the loopback; 0: a free one.</param>
internal sealed record BaselineSettings(BaselineMode Mode, int Rooms, int Port)
{
    /// <summary>Connections that may wait to be accepted, as in the published stream experiment; the system may allow fewer.</summary>
    public const int Backlog = 32_768;

    /// <summary>The certificate of TLS; <see langword="null"/> for none. Only kestrel has TLS.</summary>
    public X509Certificate2? Certificate { get; init; }
}

/// <summary>A baseline server: listens on the loopback from its making until it is disposed, which ends its connections.</summary>
internal interface IBaselineServer : IAsyncDisposable
{
    int Port { get; }

    BaselineCounters Counters { get; }
}

/// <summary>A server that PlayChat is compared with.</summary>
/// <param name="Modes">Its modes, as the command line names them: echo, broadcast, classroom, chat.</param>
internal sealed record BaselineKind(
    string Name, IReadOnlyList<string> Modes, Func<BaselineSettings, Task<IBaselineServer>> StartAsync);

internal static class Baseline
{
    private static readonly string[] s_plain = ["echo", "broadcast", "classroom"];

    private static readonly List<BaselineKind> s_all =
    [
        new("kestrel", [.. s_plain, "chat"], KestrelServer.StartAsync),
        new("async-socket", s_plain, static settings => Task.FromResult<IBaselineServer>(new SocketServer(settings, isBlocking: false))),
        new("blocking-threads", s_plain, static settings => Task.FromResult<IBaselineServer>(new SocketServer(settings, isBlocking: true))),
    ];

    public static IReadOnlyList<string> Names => s_all.Select(static baseline => baseline.Name).ToArray();

    /// <summary>Adds one. A program that has more of them calls it before everything else.</summary>
    public static void Add(BaselineKind baseline) => s_all.Add(baseline);

    public static BaselineKind Require(string name) => s_all.Find(baseline => baseline.Name == name)
        ?? throw new UsageException($"--baseline is '{name}'; allowed is {string.Join(", ", Names)}.");
}
