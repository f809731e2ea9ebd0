namespace PlayChat.Core.Transport;

/// <summary>Settings of the sockets. Set them before start.</summary>
/// <remarks>docs/reference/limits.md lists the defaults and ranges.</remarks>
public sealed class TransportOptions
{
    /// <summary>
    /// Whether small segments are sent at once (TCP_NODELAY). On by default, because the outbound queue gathers frames already.
    /// </summary>
    [Option("Send small segments at once (TCP_NODELAY).")]
    public bool NoDelay { get; set; } = true;

    /// <summary>
    /// The number of connections that the system completes before the server accepts them. The default is Linux's usual upper bound
    /// (net.core.somaxconn), which silently reduces a larger value.
    /// </summary>
    [Option(
        "Number of connections that the system completes before the server accepts them.",
        Min = 1,
        Max = 65_535,
        WhenReached = "The system drops or refuses the connection attempt. A client whose SYN is dropped retries after one second.",
        SeenIn = "`nstat -az TcpExtListenOverflows` (Linux)")]
    public int Backlog { get; set; } = 4096;

    /// <summary>
    /// The kernel's send buffer of a connection (SO_SNDBUF) in bytes; zero leaves it to the system, which lets it grow to megabytes on
    /// loopback. The server notices a stalled reader only when this buffer is full, so set it where the memory of a connection must stay
    /// small.
    /// </summary>
    [Option(
        "Bytes of the kernel's send buffer of a connection (SO_SNDBUF).",
        Min = 4096,
        Max = 16_777_216,
        Off = "the system's own",
        WhenReached = "PlayChat's own queue fills.",
        SeenIn = "`ss -tmn` (Linux)")]
    public int SendBufferBytes { get; set; }

    /// <summary>The kernel's receive buffer of a connection (SO_RCVBUF) in bytes; zero leaves it to the system.</summary>
    [Option(
        "Bytes of the kernel's receive buffer of a connection (SO_RCVBUF).", Min = 4096, Max = 16_777_216, Off = "the system's own")]
    public int ReceiveBufferBytes { get; set; }

    /// <summary>Whether a listener on an IPv6 address accepts IPv4 as well.</summary>
    [Option("Accept IPv4 on an IPv6 endpoint as well.")]
    public bool DualStack { get; set; } = true;

    internal IEnumerable<string> Validate(string path) => OptionRule.FindProblems(this, path + ":");
}
