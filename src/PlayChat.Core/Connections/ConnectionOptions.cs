namespace PlayChat.Core.Connections;

/// <summary>Bounds of one connection, and of their number. Set them before start.</summary>
/// <remarks>docs/reference/limits.md lists the defaults and ranges.</remarks>
public sealed class ConnectionOptions
{
    internal const int DefaultMaxConnections = 100_000;

    /// <summary>
    /// The bytes that may wait to be sent to one peer; the default holds some seconds of a busy room. When more would wait,
    /// <see cref="SlowConsumer"/> acts. It bounds the server's own memory; the kernel holds more, see
    /// <see cref="Transport.TransportOptions.SendBufferBytes"/>. Room for the answers to one receive (64 KB) keeps a peer that sends many
    /// requests at once from being treated as slow. An empty queue takes one frame of any size.
    /// </summary>
    [Option(
        "Bytes that may wait to be sent to one peer.",
        Min = 4096,
        Max = 1_073_741_824,
        WhenReached =
            "`PlayChat:Connections:SlowConsumer` acts: `Disconnect` closes the peer as `SlowConsumer`, `DropNewest` drops the new "
            + "frame and counts it, `Wait` makes `SendAsync` wait (a plain `Send` then closes).",
        SeenIn = "`playchat.slow_consumers`, `playchat.frames.dropped`, `sendbuf inuse` in the table",
        Why = "Clients that do not read would fill the server's memory with what they are sent.")]
    public int MaxOutboundBytes { get; set; } = 1024 * 1024;

    /// <summary>The policy for a peer that reaches <see cref="MaxOutboundBytes"/>.</summary>
    [Option("What happens when a peer reaches MaxOutboundBytes.")]
    public SlowConsumerPolicy SlowConsumer { get; set; } = SlowConsumerPolicy.Disconnect;

    /// <summary>
    /// How long a peer may read nothing although something waits for it. After that it is closed as
    /// <see cref="CloseReason.SlowConsumer"/>, so that peers that do not read cannot hold the kernel's memory.
    /// <see cref="Timeout.InfiniteTimeSpan"/> is no limit. Looked at once a second.
    /// </summary>
    [Option(
        "How long a peer may read nothing although something waits for it.",
        Min = "00:00:01",
        Max = "01:00:00",
        Off = "none",
        WhenReached = "The connection is aborted as `SlowConsumer`.",
        SeenIn = "`playchat.connections.closed`, `playchat.slow_consumers`",
        Reloadable = true)]
    public TimeSpan SendTimeout { get; set; } = TimeSpan.FromSeconds(60);

    /// <summary>
    /// How long a frame may take from its first byte to its last, plus one second for each 1,024 bytes of it that have come: a large frame
    /// on a slow network gets its time, and a peer that sends a byte now and then does not. Within a frame a peer may also pause for this
    /// time. A message of a WebSocket counts as a frame while it is not whole. After that the connection is closed as
    /// <see cref="CloseReason.FrameTimeout"/>. The time in which the server itself does not read (a handler waits) does not count.
    /// <see cref="Timeout.InfiniteTimeSpan"/> is no limit. Not for streams. Looked at once a second.
    /// </summary>
    [Option(
        "How long a frame may take to arrive, plus a second for each 1,024 bytes of it that have come, and how long it may pause.",
        Min = "00:00:01",
        Max = "01:00:00",
        Off = "none",
        WhenReached = "The peer is told and closed as `FrameTimeout`.",
        SeenIn = "`playchat.connections.closed`",
        Reloadable = true)]
    public TimeSpan FrameTimeout { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// The bytes per second that are received from one peer; 0 is no limit, and the default. Twice as many may come at once after a pause.
    /// A peer that sends more is not read for a moment, so TCP slows it down; nothing is lost. Not for streams
    /// (<see cref="Hosting.PlayChatServer.OnStream"/>): the handler reads as fast as it wants.
    /// </summary>
    [Option(
        "Bytes per second that are received from one peer, and twice as many at once after a pause. A new value is for new connections.",
        Min = 1024,
        Max = 1_073_741_824,
        Off = "no limit",
        WhenReached = "The server does not read from the peer for a moment.",
        SeenIn = "`playchat.read.pauses`",
        Reloadable = true)]
    public int BytesPerSecond { get; set; }

    /// <summary>
    /// The frames per second that are received from one peer; 0 is no limit, and the default. It works as <see cref="BytesPerSecond"/>.
    /// </summary>
    [Option(
        "Frames per second that are received from one peer, and twice as many at once after a pause. A new value is for new connections.",
        Min = 1,
        Max = 100_000_000,
        Off = "no limit",
        WhenReached = "The server does not read from the peer for a moment.",
        SeenIn = "`playchat.read.pauses`",
        Reloadable = true)]
    public int FramesPerSecond { get; set; }

    /// <summary>
    /// How long a closing connection may take to deliver what is queued and to receive the peer's own end. After that it is aborted.
    /// </summary>
    [Option(
        "How long a closing connection may take to deliver what is queued.",
        Min = "00:00:00.1",
        Max = "00:10:00",
        WhenReached = "The connection is aborted (RST).",
        SeenIn = "`playchat.connections.closed`",
        Reloadable = true)]
    public TimeSpan CloseTimeout { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// The number of connections that the server holds at once. One more is refused as <see cref="CloseReason.ServerFull"/>. Besides
    /// these, at most 1,024 connections are being refused, and 4,096 per endpoint are accepted but not set up yet; when that many wait,
    /// the server accepts no more. Where the system allows the process fewer open files than that takes, the server takes as many
    /// connections as there are files, without those that it needs itself, and logs the number when it starts: as a warning if this
    /// option was changed from its default.
    /// </summary>
    [Option(
        "Number of connections that the server holds at once; fewer where the system allows fewer open files.",
        Min = 1,
        Max = 10_000_000,
        WhenReached = "The peer is told and closed as `ServerFull`. Up to 1,024 refusals run at once; beyond that, links are reset.",
        SeenIn = "`playchat.connections.refused`, `conns` in the table",
        Reloadable = true,
        Why = "Connections would take memory and descriptors until the process fails.")]
    public int MaxConnections { get; set; } = DefaultMaxConnections;

    /// <summary>
    /// The number of connections from one address; the default 0 is a quarter of <see cref="MaxConnections"/>, at most 1,000. One more is
    /// refused as <see cref="CloseReason.AddressFull"/>. IPv6 addresses that share their first 64 bits count as one, because one network
    /// owns them all; an IPv4 address counts as itself on every kind of socket. See <see cref="LimitsLoopback"/>.
    /// </summary>
    [Option(
        "Number of connections from one address (IPv6: one /64 network).",
        Min = 1,
        Max = 10_000_000,
        Off = "a quarter of MaxConnections, at most 1,000",
        WhenReached = "The peer is told and closed as `AddressFull`; under TLS the link is reset before the handshake.",
        SeenIn = "`playchat.connections.refused`",
        Reloadable = true,
        Why = "One machine would take all connections, and other clients would find the server full.")]
    public int MaxConnectionsPerAddress { get; set; }

    /// <summary>
    /// The number of connections per second that the server accepts from one address, on average. As many as
    /// <see cref="MaxConnectionsPerAddress"/>, or those of a second if that is more, may come at once, so that all clients behind one
    /// router can return together. The server resets the others before it does any work for them. Zero: no limit. See
    /// <see cref="LimitsLoopback"/>.
    /// </summary>
    [Option(
        "Connections per second that one address (IPv6: one /64 network) may open; MaxConnectionsPerAddress of them at once.",
        Min = 1,
        Max = 1_000_000,
        Off = "no limit",
        WhenReached = "The link is reset.",
        SeenIn = "`playchat.connections.refused`",
        Reloadable = true)]
    public int AcceptsPerSecondPerAddress { get; set; } = 100;

    /// <summary>
    /// Whether the limits per address hold for clients on the server's own machine (127.0.0.0/8 and ::1). Off by default, because the
    /// clients of a proxy or a load generator on that machine share one address.
    /// </summary>
    [Option("Apply the limits per address to clients on the server's own machine as well.", Reloadable = true)]
    public bool LimitsLoopback { get; set; }

    /// <summary>
    /// The pause between two batches after which a connection counts as silent and holds no receive buffer. A connection that is busier
    /// than that keeps its 64 KB and saves one system call per batch.
    /// </summary>
    [Option("Pause after which a connection holds no receive buffer.", Min = "00:00:00", Max = "01:00:00")]
    public TimeSpan SilentAfter { get; set; } = TimeSpan.FromMilliseconds(100);

    /// <summary>
    /// The number of requests to one peer that may wait for its answers. One more fails with <see cref="TooManyRequestsException"/>. A
    /// peer that sends more unrequested answers than this in a row is closed as <see cref="CloseReason.ProtocolViolation"/>; late
    /// answers count as requested.
    /// </summary>
    [Option(
        "Number of requests to one peer that may wait for its answers.",
        Min = 1,
        Max = 65_535,
        WhenReached = "`RequestAsync` fails with `TooManyRequestsException`; nothing is sent.")]
    public int MaxRequests { get; set; } = 1024;

    /// <summary>The number of connections that one network may hold, see <see cref="MaxConnectionsPerAddress"/>.</summary>
    /// <param name="maxConnections">The number of connections that the server takes.</param>
    internal int PerNetwork(int maxConnections) =>
        MaxConnectionsPerAddress > 0 ? MaxConnectionsPerAddress : Math.Clamp(maxConnections / 4, 1, 1000);

    internal IEnumerable<string> Validate(string path) => OptionRule.FindProblems(this, path + ":");
}
