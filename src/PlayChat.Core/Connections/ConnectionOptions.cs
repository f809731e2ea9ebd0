using PlayChat.Options;

namespace PlayChat.Core.Connections;

/// <summary>Bounds of one connection, and of their number. Set them before start.</summary>
/// <remarks>docs/limits.md lists the defaults and ranges.</remarks>
public sealed class ConnectionOptions
{
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
        SeenIn = "`playchat.slow_consumers`, `playchat.frames.dropped`, `sendbuf inuse` in the table")]
    public int MaxOutboundBytes { get; set; } = 1024 * 1024;

    /// <summary>What happens when <see cref="MaxOutboundBytes"/> is reached.</summary>
    [Option("What happens when a peer reaches MaxOutboundBytes.")]
    public SlowConsumerPolicy SlowConsumer { get; set; } = SlowConsumerPolicy.Disconnect;

    /// <summary>
    /// How long a closing connection may take to deliver what is queued and to receive the peer's own end. After that it is aborted.
    /// </summary>
    [Option(
        "How long a closing connection may take to deliver what is queued.",
        Min = "00:00:00.1",
        Max = "00:10:00",
        WhenReached = "The connection is aborted (RST).",
        SeenIn = "`playchat.connections.closed`")]
    public TimeSpan CloseTimeout { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// The number of connections that the server holds at once. One more is refused as <see cref="CloseReason.ServerFull"/>. Besides
    /// these, at most 1,024 connections are being refused, and 4,096 per endpoint are accepted but not set up yet; when that many wait,
    /// the server accepts no more.
    /// </summary>
    [Option(
        "Number of connections that the server holds at once.",
        Min = 1,
        Max = 10_000_000,
        WhenReached = "The peer is told and closed as `ServerFull`. Up to 1,024 refusals run at once; beyond that, links are dropped "
            + "silently.",
        SeenIn = "`playchat.connections.refused`, `conns` in the table")]
    public int MaxConnections { get; set; } = 100_000;

    /// <summary>
    /// The number of connections from one address. The default is no limit, because all clients behind a proxy or of a load test share
    /// one address. One more is refused as <see cref="CloseReason.AddressFull"/>. IPv6 addresses that share their first 64 bits count as
    /// one, because one network owns them all; an IPv4 address counts as itself on every kind of socket.
    /// </summary>
    [Option(
        "Number of connections from one address.",
        Min = 1,
        Max = 10_000_000,
        WhenReached = "The peer is told and closed as `AddressFull`.",
        SeenIn = "`playchat.connections.refused`")]
    public int MaxConnectionsPerAddress { get; set; } = 10_000_000;

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

    internal IEnumerable<string> Validate(string path) => OptionRule.FindProblems(this, path + ":");
}
