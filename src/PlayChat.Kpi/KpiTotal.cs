namespace PlayChat.Kpi;

/// <summary>
/// The totals of a snapshot. In JSON each is named like its member, in snake case; the values are indexes, dense and from 0.
/// </summary>
/// <remarks>The properties of <see cref="KpiSnapshot"/> that are named like the members say what each counts.</remarks>
internal enum KpiTotal
{
    Receives,
    Sends,
    BytesReceived,
    BytesSent,
    FramesReceived,
    FramesSent,
    FramesDropped,
    FramesReplaced,
    FramesSkipped,
    Deliveries,
    JobsEnqueued,
    JobsExecuted,
    JobsRefused,
    SendBufferPushes,
    SendBufferPops,
    PoolRents,
    PoolReturns,
    PoolReuses,
    ConnectionsAccepted,
    ConnectionsRefused,
    SessionsOpened,
    SessionsClosed,
    RoomsCreated,
    RoomsRemoved,
    SlowConsumers,
    HandlerFaults,
    UnknownPackets,
    RateLimitedPackets,
    AnswersDropped,
    ReadPauses,
    ProtocolViolations,
}
