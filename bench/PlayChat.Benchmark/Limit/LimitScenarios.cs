namespace PlayChat.Benchmark.Limit;

/// <summary>All scenarios and their bars.</summary>
/// <remarks>
/// A bar on a time or a rate is a multiple of C's, of Kestrel's or of the same server's over TCP, in the same round. Bars on sizes and
/// counts are absolute.
/// </remarks>
internal static class LimitScenarios
{
    /// <summary>The minimal server in C.</summary>
    public const string C = "C";

    public const string Kestrel = "kestrel";

    public const string Mapped = "mapped";

    public const string Packet = "packet";

    public const string State = "state";

    /// <summary>The packet that <see cref="Packet"/> sends at each tick: two ids, and 8 players of 9 bytes.</summary>
    public const int TickBytes = 4 + (TickWorld.PlayerCount * PacketTickRoom.PlayerBytes);

    /// <summary>Ends the name of a server that runs over TCP where others run over WebSocket.</summary>
    public const string OverTcp = "-tcp";

    /// <summary>PlayChat's servers: without an option, with <c>--inline</c>, and with <c>--transport linux</c>.</summary>
    public static readonly IReadOnlyList<string> OwnServers = ["default", "inline", "linux"];

    /// <summary>Echo over TLS. It needs OpenSSL, so it runs only when named.</summary>
    public static readonly LimitPart Tls = new(
        "tls",
        "Echo over TLS 1.3, RSA-2048. CPU time of the server a message; in THS and TRS a handshake with one message",
        Four + " kestrel",
        "cpu cpu/C cpu/kestrel rate p50 p99 server load peak");

    private const string Four = "C default inline linux";
    private const string Mix = "--mix 64:80,256:18,1500:2";
    private const string Search = "--search 50 --step-s 1.2";
    private const string Fair = "; spread 4 4 4; even 3 3 3";
    private const string Capacity = "rate rate/C cpu p50 p99 peak others";

    private static readonly LimitPart s_echo = new(
        "echo", "Echo, length(4)+body", Four, "cpu cpu/C rate p50 p99 spread even server load peak");

    private static readonly LimitPart s_fanout = new(
        "fanout", "Fan-out: deliveries at a given rate, and the highest rate whose p99 stays within 50 ms", "C default linux",
        "cpu cpu/C rate p50 p99 p99/C stalled others peak");

    private static readonly LimitPart s_connections = new(
        "connections", "Connections, start, collections", Four, "kb rss");

    private static readonly LimitPart s_ticks = new(
        "ticks", "Rooms that tick: CPU time of the server a tick and member, and how far the time between two ticks is from its length",
        $"C {Packet} {State} {Packet}-linux {State}-linux", "cpu cpu/C cpu/packet p50 p99 p999 server load peak");

    // Two forms of each server, so that a frame over WebSocket is compared with the same frame over TCP.
    private static readonly LimitPart s_ws = new(
        "ws", "WebSocket: messages (W1, W4) and deliveries (WF…); C and the rows with -tcp are over TCP",
        "C default-tcp default linux-tcp linux mapped",
        "cpu cpu/C cpu/tcp rate p50 p99 p99/C even server load peak");

    /// <summary>All of them. The figures of a bar are for <see cref="LimitBar.Servers"/>.</summary>
    public static IReadOnlyList<LimitScenario> All { get; } =
    [
        new(s_echo, "E1", "--conns 1000 --size 64 --inflight 30", "cpu/C 1.9 1.4 1.15" + Fair),
        new(s_echo, "E2", "--conns 1000 --size 8 --inflight 200", "cpu/C 2.2 1.6 1.2" + Fair),
        new(s_echo, "E4", "--conns 50 --size 64 --inflight 1", "cpu/C 2.1 1.2 1.15"),
        new(s_echo, "E256", "--conns 1000 --size 256 --inflight 30", "cpu/C 2.4 1.9 1.65" + Fair),
        new(s_echo, "E1K", "--conns 1000 --size 1024 --inflight 30", "cpu/C 2.4 1.9 1.65" + Fair),
        new(s_echo, "E4K", "--conns 1000 --size 4096 --inflight 30", "cpu/C 2.4 1.9 1.65" + Fair),
        new(s_echo, "E64K", "--conns 1000 --size 65536 --inflight 4", "cpu/C 2.4 1.9 1.65" + Fair),
        new(s_echo, "E9000", "--conns 9000 --size 1024 --inflight 30 --sources 8", "cpu/C 2.4 1.9 1.65" + Fair),

        new(s_fanout, "F1", $"--conns 500 --rate 10 {Mix}", "cpu/C 1.15 - 1.03; p99/C 1.5 - 1.1", Rooms: 10),
        new(s_fanout, "F1-5ms", $"--conns 500 --rate 10 {Mix}", "cpu/C 0.75 0.52 0.48; p99/C - 2.6", Rooms: 10, FlushMs: 5, Servers: Four),
        new(s_fanout, "F2", $"--conns 500 --rate 20 {Mix} {Search}", "rate/C 0.61 - 0.81; peak 200 - 200", Rooms: 10, Columns: Capacity),
        new(
            s_fanout, "F2-both", $"--conns 500 --rate 20 {Mix} {Search}", "rate/C 0.49 - 0.77; peak 200 - 200",
            Rooms: 10, Columns: Capacity, Unpinned: true),
        new(
            s_fanout, "F3", $"--conns 200 --rate 10 --size 64 {Search}", "rate/C 0.7 - 0.96; peak 200 - 200", Rooms: 1, Columns: Capacity),
        new(
            s_fanout, "F4", "--conns 1000 --rate 0.02 --size 64 --warmup 1", "cpu/C 1.3 - 1.3; p99/C 1.3 - 1.3",
            Rooms: 1, LeastSeconds: 3.5),
        new(
            s_fanout, "F5", "--conns 500 --rate 5 --size 3000 --stalled 5 --warmup 1", "p99/C 2 - 2; stalled 5 - 5",
            Rooms: 10, MaxOutboundBytes: 262_144, LeastSeconds: 8), // time to fill the bound

        new(s_connections, "idle", "--conns 10000 --idle 5 --sources 8", "kb 3 3 1.5", MostRounds: 3),
        new(s_connections, "storm", "--conns 5000 --idle 1", "echoed/C 2 2 2", Columns: "echoed echoed/C connected"),
        new(
            s_connections, "trickle", "--conns 3000 --size 50 --rate 0.1 --warmup 5", "server/C 2.5 2.5 2.5",
            Columns: "server server/C p99", LeastSeconds: 15, MostRounds: 1),
        new(
            s_connections, "ready", string.Empty, "ready/kestrel 2.5 2.5 2.5; chat/kestrel 4 4 4", Unpinned: true,
            Servers: "kestrel default inline linux", Columns: "ready ready/kestrel chat chat/kestrel"),
        new(
            s_connections, "gc", "--conns 1000 --size 64 --inflight 30 --warmup 4 --duration 10", "gc0 0 0 0",
            CountsCollections: true, Servers: "default inline linux", Columns: "gc0 bytes bytes_s", MostRounds: 1),

        new(s_ticks, "K8", "--conns 2000", "cpu/packet - - - - 1.3", Rooms: 250, Hertz: 20),
        new(s_ticks, "K100", "--conns 2000", string.Empty, Rooms: 20, Hertz: 20),

        new(Tls, "T1", "--conns 1000 --size 64 --inflight 30", "cpu/C 2 - 1.5"),
        new(Tls, "T4", "--conns 50 --size 64 --inflight 1", "cpu/C 1.5 - 1.35"),
        new(Tls, "T16K", "--conns 200 --size 16384 --inflight 4", "cpu/C 1.4 - 1.3"),
        new(Tls, "THS", "--conns 16 --handshakes", "cpu/C 1.4 - 1.2"),
        new(Tls, "TRS", "--conns 16 --handshakes --resume", "cpu/kestrel 1.1 - 1.1"),

        new(s_ws, "W1", "--conns 1000 --size 64 --inflight 30", "cpu/C 2.3 - 1.8 2.9; cpu/tcp 1.25 - 1.25; even 1.2 - 1.2 1.5"),
        new(s_ws, "W4", "--conns 50 --size 64 --inflight 1", "cpu/C 1.9 - 1.36 3"),
        new(s_ws, "WF1", "--conns 500 --rate 10 --size 64", "cpu/C 1.2 - 1.2 1.6; p99/C 3.6 - 3.6 5.5", Rooms: 10),
        new(s_ws, "WF1-5ms", "--conns 500 --rate 10 --size 64", "cpu/C 0.84 - 0.84; p99/C 6 - 6", Rooms: 10, FlushMs: 5),
        new(s_ws, "WF1M", "--conns 500 --rate 40 --size 64", "p99/C 3.1 - 3.1", Rooms: 10),
        new(s_ws, "WF1M-5ms", "--conns 500 --rate 40 --size 64", "cpu/C 0.7 - 0.7; p99/C 3.1 - 3.1", Rooms: 10, FlushMs: 5),
        new(s_ws, "Widle", "--conns 5000 --idle 5", "kb 3.5 - 2 17", Columns: "kb rss", MostRounds: 3, Warmed: true),
        new(s_ws, "Widle-cold", "--conns 5000 --idle 5", string.Empty, Columns: "kb rss", MostRounds: 3),
        new(
            s_ws, "Wready", string.Empty, "ready/tcp 1.5 - 1.5", Unpinned: true,
            Servers: "default-tcp default linux-tcp linux", Columns: "ready ready/tcp"),
    ];

    /// <summary>Chooses scenarios: a part means all of its, or those of its that are named; nothing means all but tls and ws.</summary>
    public static IReadOnlyList<LimitScenario> Choose(List<string> words)
    {
        string? unknown = words.Find(static word => !All.Any(scenario => word == scenario.Name || word == scenario.Part.Name));
        UsageException.Unless(
            unknown is null, $"There is no {(unknown?.StartsWith('-') == true ? "option" : "scenario")} {unknown}; --help lists all.");
        LimitPart[] narrowed = All.Where(scenario => words.Contains(scenario.Name)).Select(static scenario => scenario.Part).ToArray();
        return All.Where(scenario => words.Count == 0
            ? scenario.Part != Tls && scenario.Part != s_ws
            : words.Contains(scenario.Name) || (words.Contains(scenario.Part.Name) && !narrowed.Contains(scenario.Part))).ToArray();
    }

    public static string Describe() => string.Join('\n', All
        .GroupBy(static scenario => scenario.Part)
        .SelectMany(static part => part
            .Select(static scenario => "    " + scenario.Describe())
            .Prepend($"  {part.Key.Name}: {part.Key.About}")));

    /// <summary>The server that also has a form over TCP.</summary>
    public static string WithoutTcp(string server) =>
        server.EndsWith(OverTcp, StringComparison.Ordinal) ? server[..^OverTcp.Length] : server;
}
