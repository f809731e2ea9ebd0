namespace PlayChat.Core.Diagnostics;

/// <summary>What is counted where it happens, with <see cref="ServerMetrics.Add"/>.</summary>
/// <remarks>
/// The values are indexes: dense, from 0. Connections that end are counted by reason, with <see cref="ServerMetrics.CountClose"/>.
/// </remarks>
internal enum Counter
{
    Receives, // receive operations that brought bytes
    Sends, // send operations that took bytes
    BytesReceived, // bytes taken from the sockets (plain text under TLS)
    BytesSent, // bytes handed to the sockets (plain text under TLS)
    FramesReceived, // whole frames that were received and given to a handler
    FramesSent, // frames accepted for sending to one peer; each delivery of a broadcast is one of them
    Deliveries, // frames that a broadcast gave to a member of a room or to a session: one per message and receiver
    JobsEnqueued, // items that a room's queue took
    JobsExecuted, // items that a room's turn has executed
    JobsRefused, // items that a room refused because its queue was full or it was closed
    SendBufferPushes, // pooled segments that were put in an outbound queue; counted by ServerMetrics.PushSendBuffers
    SendBufferPops, // pooled segments that left an outbound queue; counted by ServerMetrics.PopSendBuffers
    ConnectionsAccepted, // connections that were accepted and set up
    ConnectionsRefused, // connections that were refused because of a limit: server full, address full
    HandshakesRefused, // TLS handshakes that were not begun or were ended because too many were under way
    HandshakesFailed, // TLS handshakes that failed or took too long
    ProxyLinksRefused, // links to an endpoint behind a proxy that are not a trusted proxy's, or that bring no valid header
    UpgradesRefused, // WebSocket requests that were answered by an HTTP error, or took too long
    SessionsOpened, // sessions that began
    SessionsClosed, // sessions that ended
    SessionsAway, // sessions that became away, because their connection broke
    SessionsNotAway, // sessions that are away no longer: they have resumed or ended
    SessionsResumed, // sessions that have resumed on another connection
    ResumeStoreFaults, // calls of the resume store that failed or took too long
    RoomsCreated, // rooms that were created
    RoomsRemoved, // rooms that were removed
    FramesDropped, // frames that were not sent because the peer's outbound bound was reached or its connection had closed
    FramesReplaced, // frames of LatestOnly that a newer one of the same key replaced while they waited
    FramesSkipped, // frames of DropIfBehind that were dropped because the peer was behind
    SlowConsumers, // times that a peer reached the bound of its outbound queue, under every policy
    SlowHandlers, // handlers and turns of rooms that took longer than a tenth of a second
    HandlerFaults, // handlers that threw
    UnknownPackets, // packets whose id nothing handles
    PacketsWithoutRoom, // packets for a room in which their sender is no member
    RateLimitedPackets, // packets that a rate limit refused
    AnswersDropped, // answers that no request awaited
    ReadPauses, // how often reading from a peer paused until what it had sent was worked off
    ProtocolViolations, // frames that broke a rule of their format or protocol
    RoomTicks, // ticks that rooms have run
    RoomTicksMissed, // ticks of rooms that could not run before the next was due
}
