namespace PlayChat.Core.Transport;

/// <summary>Settings of the sockets. Set before start.</summary>
public sealed class TransportOptions
{
    /// <summary>Sends small segments at once instead of gathering them (TCP_NODELAY). Default true: the outbound queue gathers already.</summary>
    public bool NoDelay { get; set; } = true;

    /// <summary>
    /// Connections the system completes before they are accepted, 1–65,535. Default 4,096, Linux's usual upper bound
    /// (net.core.somaxconn), which cuts a larger value down without a word.
    /// </summary>
    public int Backlog { get; set; } = 4096;

    /// <summary>
    /// The kernel's send buffer a connection (SO_SNDBUF) in bytes, 0 or 4,096–16,777,216. Default 0: the system's own, which grows
    /// to megabytes on loopback. A reader that stops is noticed only when this is full, so set it where memory a connection
    /// must stay small.
    /// </summary>
    public int SendBufferBytes { get; set; }

    /// <summary>The kernel's receive buffer a connection (SO_RCVBUF) in bytes, 0 or 4,096–16,777,216. Default 0: the system's own.</summary>
    public int ReceiveBufferBytes { get; set; }

    /// <summary>A listener on an IPv6 address takes IPv4 as well. Default true.</summary>
    public bool DualStack { get; set; } = true;

    internal IEnumerable<string> Validate(string path)
    {
        if (Backlog is < 1 or > 65_535)
        {
            yield return $"{path}:{nameof(Backlog)} is {Backlog}; allowed is 1 to 65535.";
        }

        if (!IsBufferSize(SendBufferBytes))
        {
            yield return $"{path}:{nameof(SendBufferBytes)} is {SendBufferBytes}; allowed is 0 (the system's own) or 4096 to 16777216.";
        }

        if (!IsBufferSize(ReceiveBufferBytes))
        {
            yield return $"{path}:{nameof(ReceiveBufferBytes)} is {ReceiveBufferBytes}; allowed is 0 (the system's own) or 4096 to 16777216.";
        }
    }

    private static bool IsBufferSize(int bytes) => bytes is 0 or (>= 4096 and <= 16 * 1024 * 1024);
}
