namespace PlayChat.Core.Connections;

/// <summary>The counters and the queue of one connection at one moment; made by <see cref="Connection.Traffic"/>.</summary>
/// <remarks>A connection that is handled as a stream counts no bytes and no frames.</remarks>
public readonly record struct ConnectionTraffic
{
    /// <summary>The bytes received since the connection was opened; under TLS and WebSocket their content.</summary>
    public long BytesReceived { get; init; }

    /// <summary>The frames received since then, counted per batch.</summary>
    public long FramesReceived { get; init; }

    /// <summary>The bytes that the system has taken for the peer since then; under TLS and WebSocket their content.</summary>
    public long BytesSent { get; init; }

    /// <summary>The frames in those bytes.</summary>
    public long FramesSent { get; init; }

    /// <summary>
    /// The bytes that wait to be sent, those of the send under way included. After the end, the bytes that the end dropped.
    /// </summary>
    public int QueuedBytes { get; init; }

    /// <summary>
    /// The most bytes that may wait (<see cref="ConnectionOptions.MaxOutboundBytes"/>). At this bound the connection is a slow consumer.
    /// </summary>
    public int MaxQueuedBytes { get; init; }

    /// <summary>Whether a handler of one of the peer's frames has not returned, so that nothing is received.</summary>
    public bool IsHandlerWaiting { get; init; }

    /// <summary>How long ago the connection was opened.</summary>
    public TimeSpan Age { get; init; }

    /// <summary>How long ago bytes last arrived, or their absence was excused because the server did not read.</summary>
    public TimeSpan SilentFor { get; init; }

    /// <summary>How long the send under way has waited for the peer to read; zero when none waits.</summary>
    public TimeSpan BlockedFor { get; init; }
}
