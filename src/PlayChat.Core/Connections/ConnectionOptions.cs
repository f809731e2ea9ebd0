namespace PlayChat.Core.Connections;

/// <summary>Bounds of one connection, and how many there may be. Set before start.</summary>
public sealed class ConnectionOptions
{
    /// <summary>
    /// Bytes that may wait to be sent to one peer, 4,096–1,073,741,824. Default 1 MiB: some seconds of a busy room. When more would wait,
    /// <see cref="SlowConsumer"/> acts. It bounds the server's own memory; the kernel holds more, see
    /// <see cref="Transport.TransportOptions.SendBufferBytes"/>. Room for the answers to one receive (64 KB) spares a peer that sends many
    /// requests at once; one frame is taken by an empty queue however large it is.
    /// </summary>
    public int MaxOutboundBytes { get; set; } = 1024 * 1024;

    /// <summary>What happens when <see cref="MaxOutboundBytes"/> is reached. Default <see cref="SlowConsumerPolicy.Disconnect"/>.</summary>
    public SlowConsumerPolicy SlowConsumer { get; set; } = SlowConsumerPolicy.Disconnect;

    /// <summary>
    /// How long a closing connection may take to deliver what is queued and to hear the peer's own end, 100 ms to 10 minutes. Default
    /// 5 seconds; after that it is aborted.
    /// </summary>
    public TimeSpan CloseTimeout { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// Connections the server holds at once, 1–10,000,000. Default 100,000. One more is refused as <see cref="CloseReason.ServerFull"/>. Beside them at
    /// most 1,024 are being refused, and 4,096 an endpoint are accepted and not set up yet; when so many wait, nobody is accepted.
    /// </summary>
    public int MaxConnections { get; set; } = 100_000;

    /// <summary>
    /// Connections from one address, 1–10,000,000. Default 10,000,000, which is no limit: behind a proxy or a load test all have one
    /// address. One more is refused as <see cref="CloseReason.AddressFull"/>. IPv6 addresses that share their first 64 bits count as one, since whoever has one of them has
    /// all; an IPv4 address counts as itself whatever the socket.
    /// </summary>
    public int MaxConnectionsPerAddress { get; set; } = 10_000_000;

    /// <summary>
    /// Pause between two batches of one connection after which it counts as silent: it then holds no receive buffer. Default
    /// 100 ms, 0 to 1 hour; what is talking faster than that keeps its 64 KB and saves a system call a batch.
    /// </summary>
    public TimeSpan SilentAfter { get; set; } = TimeSpan.FromMilliseconds(100);

    /// <summary>
    /// Requests of ours that may wait for one peer's answers, 1–65,535. Default 1,024. One more fails with <see cref="TooManyRequestsException"/>.
    /// A peer that sends more answers than this in a row which nobody asked for (late ones are asked for) is closed as <see cref="CloseReason.ProtocolViolation"/>.
    /// </summary>
    public int MaxRequests { get; set; } = 1024;

    internal IEnumerable<string> Validate(string path)
    {
        if (MaxOutboundBytes is < 4096 or > 1024 * 1024 * 1024)
        {
            yield return $"{path}:{nameof(MaxOutboundBytes)} is {MaxOutboundBytes}; allowed is 4096 to 1073741824.";
        }

        if (!Enum.IsDefined(SlowConsumer))
        {
            yield return $"{path}:{nameof(SlowConsumer)} is {(int)SlowConsumer}; allowed is {string.Join(", ", Enum.GetNames<SlowConsumerPolicy>())}.";
        }

        if (CloseTimeout < TimeSpan.FromMilliseconds(100) || CloseTimeout > TimeSpan.FromMinutes(10))
        {
            yield return $"{path}:{nameof(CloseTimeout)} is {CloseTimeout}; allowed is 00:00:00.1 to 00:10:00.";
        }

        if (MaxConnections is < 1 or > 10_000_000)
        {
            yield return $"{path}:{nameof(MaxConnections)} is {MaxConnections}; allowed is 1 to 10000000.";
        }

        if (MaxConnectionsPerAddress is < 1 or > 10_000_000)
        {
            yield return $"{path}:{nameof(MaxConnectionsPerAddress)} is {MaxConnectionsPerAddress}; allowed is 1 to 10000000.";
        }

        if (SilentAfter < TimeSpan.Zero || SilentAfter > TimeSpan.FromHours(1))
        {
            yield return $"{path}:{nameof(SilentAfter)} is {SilentAfter}; allowed is 00:00:00 to 01:00:00.";
        }

        if (MaxRequests is < 1 or > ushort.MaxValue)
        {
            yield return $"{path}:{nameof(MaxRequests)} is {MaxRequests}; allowed is 1 to 65535.";
        }
    }
}
