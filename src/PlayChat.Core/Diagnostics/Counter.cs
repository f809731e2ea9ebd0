namespace PlayChat.Core.Diagnostics;

/// <summary>What is counted where it happens, with <see cref="ServerMetrics.Add"/>.</summary>
/// <remarks>
/// The values are indexes: dense, from 0. Connections that end are counted by reason, with <see cref="ServerMetrics.CountClose"/>.
/// </remarks>
internal enum Counter
{
    /// <summary>Receive operations that brought bytes.</summary>
    Receives,

    /// <summary>Send operations that took bytes.</summary>
    Sends,

    /// <summary>Bytes taken from the sockets (plain text under TLS).</summary>
    BytesReceived,

    /// <summary>Bytes handed to the sockets (plain text under TLS).</summary>
    BytesSent,

    /// <summary>Whole frames that were received and given to a handler.</summary>
    FramesReceived,

    /// <summary>Frames accepted for sending to one peer; each delivery of a broadcast is one of them.</summary>
    FramesSent,

    /// <summary>Frames that a broadcast gave to a member of a room or to a session: one per message and receiver.</summary>
    Deliveries,

    /// <summary>Items that a room's queue took.</summary>
    JobsEnqueued,

    /// <summary>Items that a room's turn has executed.</summary>
    JobsExecuted,

    /// <summary>Items that a room refused because its queue was full or it was closed.</summary>
    JobsRefused,

    /// <summary>Pooled segments that were put in an outbound queue; counted by <see cref="ServerMetrics.PushSendBuffers"/>.</summary>
    SendBufferPushes,

    /// <summary>Pooled segments that left an outbound queue; counted by <see cref="ServerMetrics.PopSendBuffers"/>.</summary>
    SendBufferPops,

    /// <summary>Connections that were accepted and set up.</summary>
    ConnectionsAccepted,

    /// <summary>Connections that were refused because of a limit: server full, address full.</summary>
    ConnectionsRefused,

    /// <summary>TLS handshakes that were not begun or were ended because too many were under way.</summary>
    HandshakesRefused,

    /// <summary>TLS handshakes that failed or took too long.</summary>
    HandshakesFailed,

    /// <summary>Links to an endpoint behind a proxy that are not a trusted proxy's, or that bring no valid header.</summary>
    ProxyLinksRefused,

    /// <summary>WebSocket requests that were answered by an HTTP error, or took too long.</summary>
    UpgradesRefused,

    /// <summary>Sessions that began.</summary>
    SessionsOpened,

    /// <summary>Sessions that ended.</summary>
    SessionsClosed,

    /// <summary>Sessions that became away, because their connection broke.</summary>
    SessionsAway,

    /// <summary>Sessions that are away no longer: they have resumed or ended.</summary>
    SessionsNotAway,

    /// <summary>Sessions that have resumed on another connection.</summary>
    SessionsResumed,

    /// <summary>Calls of the resume store that failed or took too long.</summary>
    ResumeStoreFaults,

    /// <summary>Rooms that were created.</summary>
    RoomsCreated,

    /// <summary>Rooms that were removed.</summary>
    RoomsRemoved,

    /// <summary>Frames that were not sent because the peer's outbound bound was reached or its connection had closed.</summary>
    FramesDropped,

    /// <summary>Frames of <c>LatestOnly</c> that a newer one of the same key replaced while they waited.</summary>
    FramesReplaced,

    /// <summary>Frames of <c>DropIfBehind</c> that were dropped because the peer was behind.</summary>
    FramesSkipped,

    /// <summary>Times that a peer reached the bound of its outbound queue, under every policy.</summary>
    SlowConsumers,

    /// <summary>Handlers and turns of rooms that took longer than a tenth of a second.</summary>
    SlowHandlers,

    /// <summary>Handlers that threw.</summary>
    HandlerFaults,

    /// <summary>Packets whose id nothing handles.</summary>
    UnknownPackets,

    /// <summary>Packets for a room in which their sender is no member.</summary>
    PacketsWithoutRoom,

    /// <summary>Packets that a rate limit refused.</summary>
    RateLimitedPackets,

    /// <summary>Answers that no request awaited.</summary>
    AnswersDropped,

    /// <summary>How often reading from a peer paused until what it had sent was worked off.</summary>
    ReadPauses,

    /// <summary>Frames that broke a rule of their format or protocol.</summary>
    ProtocolViolations,

    /// <summary>Ticks that rooms have run.</summary>
    RoomTicks,

    /// <summary>Ticks of rooms that could not run before the next was due.</summary>
    RoomTicksMissed,
}
