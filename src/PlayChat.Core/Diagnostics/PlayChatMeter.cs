namespace PlayChat.Core.Diagnostics;

/// <summary>The names of the meter and of its instruments. They are stable: dashboards and alerts are built on them.</summary>
/// <remarks>
/// <para>All instruments but <c>playchat.packet.duration</c> and <c>playchat.packet.errors</c> are observable: they cost nothing until a
/// collector reads them. Packets are measured while a listener subscribes to <c>playchat.packet.duration</c>. Process and collector figures
/// are those of the runtime's own meter (<c>System.Runtime</c>).</para>
/// <list type="table">
/// <listheader><term>instrument</term><description>kind, unit: meaning</description></listheader>
/// <item><term><c>playchat.connections.active</c></term><description>up-down counter, {connection}: open now</description></item>
/// <item><term><c>playchat.connections.accepted</c></term><description>counter, {connection}: accepted</description></item>
/// <item><term><c>playchat.connections.refused</c></term><description>counter, {connection}: refused by a limit</description></item>
/// <item><term><c>playchat.handshakes.refused</c></term><description>counter, {handshake}: TLS handshakes refused because too many were
/// under way; each is a refused connection, too</description></item>
/// <item><term><c>playchat.handshakes.failed</c></term><description>counter, {handshake}: TLS handshakes that failed or took too long; each
/// is a refused connection, too</description></item>
/// <item><term><c>playchat.proxy.refused</c></term><description>counter, {connection}: not a trusted proxy's, or without a valid PROXY
/// protocol header; each is a refused connection, too</description></item>
/// <item><term><c>playchat.websocket.refused</c></term><description>counter, {connection}: WebSocket requests answered by an HTTP error;
/// each is a refused connection, too</description></item>
/// <item><term><c>playchat.connections.closed</c></term><description>counter, {connection}: ended; tag <c>close_reason</c>
/// (<c>peer_closed</c>, <c>idle_timeout</c> …)</description></item>
/// <item><term><c>playchat.sessions.active</c></term><description>up-down counter, {session}: open now</description></item>
/// <item><term><c>playchat.sessions.opened</c></term><description>counter, {session}: begun</description></item>
/// <item><term><c>playchat.sessions.away</c></term><description>up-down counter, {session}: their connection broke, and they may still
/// resume</description></item>
/// <item><term><c>playchat.sessions.resumed</c></term><description>counter, {session}: continued on another connection</description></item>
/// <item><term><c>playchat.resume_store.faults</c></term><description>counter, {fault}: calls of the resume store that failed or took too
/// long</description></item>
/// <item><term><c>playchat.rooms.active</c></term><description>up-down counter, {room}: exist now</description></item>
/// <item><term><c>playchat.rooms.created</c></term><description>counter, {room}: made</description></item>
/// <item><term><c>playchat.io.receives</c></term><description>counter, {operation}: receive operations that moved
/// bytes</description></item>
/// <item><term><c>playchat.io.sends</c></term><description>counter, {operation}: send operations that moved bytes</description></item>
/// <item><term><c>playchat.bytes.received</c></term><description>counter, By: received, without what TLS adds</description></item>
/// <item><term><c>playchat.bytes.sent</c></term><description>counter, By: sent, without what TLS adds</description></item>
/// <item><term><c>playchat.frames.received</c></term><description>counter, {frame}: received</description></item>
/// <item><term><c>playchat.frames.sent</c></term><description>counter, {frame}: sent, deliveries of broadcasts
/// included</description></item>
/// <item><term><c>playchat.frames.dropped</c></term><description>counter, {frame}: not sent, since a bound was reached or the connection
/// had closed</description></item>
/// <item><term><c>playchat.frames.replaced</c></term><description>counter, {frame}: replaced by a newer one of the same key while they
/// waited for a slow peer</description></item>
/// <item><term><c>playchat.frames.skipped</c></term><description>counter, {frame}: droppable, and dropped because the peer was
/// behind</description></item>
/// <item><term><c>playchat.broadcast.deliveries</c></term><description>counter, {frame}: given to a member of a room or to a
/// session by a broadcast</description></item>
/// <item><term><c>playchat.message.duration</c></term><description>gauge, s: from receipt of a frame to the hand-over of what it caused to
/// the sockets, over the last window; tag <c>quantile</c> (<c>0.5</c>, <c>0.9</c>, <c>0.99</c>, <c>0.999</c>,
/// <c>1</c>)</description></item>
/// <item><term><c>playchat.room.jobs.enqueued</c></term><description>counter, {job}: items posted to rooms</description></item>
/// <item><term><c>playchat.room.jobs.executed</c></term><description>counter, {job}: items executed</description></item>
/// <item><term><c>playchat.room.jobs.refused</c></term><description>counter, {job}: items refused</description></item>
/// <item><term><c>playchat.room.queue.peak</c></term><description>gauge, {job}: deepest room queue in the last window</description></item>
/// <item><term><c>playchat.room.ticks</c></term><description>counter, {tick}: ticks that rooms have run</description></item>
/// <item><term><c>playchat.room.ticks.missed</c></term><description>counter, {tick}: ticks that could not run before the next was
/// due</description></item>
/// <item><term><c>playchat.room.tick.drift</c></term><description>gauge, s: from when a room's tick was due to when it ran, over the last
/// window; tag <c>quantile</c> as above</description></item>
/// <item><term><c>playchat.send_buffer.in_use</c></term><description>up-down counter, {segment}: waiting in outbound queues
/// now</description></item>
/// <item><term><c>playchat.send_buffer.peak</c></term><description>gauge, {segment}: the most that waited at one time in the last
/// window</description></item>
/// <item><term><c>playchat.send_buffer.pushes</c></term><description>counter, {segment}: put in outbound queues</description></item>
/// <item><term><c>playchat.send_buffer.pops</c></term><description>counter, {segment}: taken out of them</description></item>
/// <item><term><c>playchat.pool.in_use</c></term><description>up-down counter, {buffer}: rented now</description></item>
/// <item><term><c>playchat.pool.peak</c></term><description>gauge, {buffer}: the most rented at one time in the last
/// window</description></item>
/// <item><term><c>playchat.pool.rents</c></term><description>counter, {buffer}: rented</description></item>
/// <item><term><c>playchat.pool.returns</c></term><description>counter, {buffer}: returned</description></item>
/// <item><term><c>playchat.pool.reuses</c></term><description>counter, {buffer}: rented without new memory</description></item>
/// <item><term><c>playchat.slow_consumers</c></term><description>counter, {event}: a peer reached the bound of its outbound
/// queue</description></item>
/// <item><term><c>playchat.read.pauses</c></term><description>counter, {event}: reading from a peer paused</description></item>
/// <item><term><c>playchat.handler.slow</c></term><description>counter, {event}: a handler or a room's turn took longer than
/// 100 ms</description></item>
/// <item><term><c>playchat.handler.faults</c></term><description>counter, {fault}: handlers that threw</description></item>
/// <item><term><c>playchat.packet.received</c></term><description>counter, {packet}: received; tag <c>packet</c>: the packet's
/// name</description></item>
/// <item><term><c>playchat.packet.bytes</c></term><description>counter, By: bodies of received packets; tag
/// <c>packet</c></description></item>
/// <item><term><c>playchat.packet.duration</c></term><description>histogram, s: time that a handler took, for a room's handler within the
/// room's turn; tag <c>packet</c></description></item>
/// <item><term><c>playchat.packet.errors</c></term><description>counter, {packet}: refused, or the handler failed; tags <c>packet</c> and
/// <c>error.type</c> (<c>handler_fault</c>, <c>malformed</c>, <c>rate_limited</c>, <c>login_required</c>,
/// <c>no_room</c>)</description></item>
/// <item><term><c>playchat.packets.unknown</c></term><description>counter, {packet}: nothing handles their id</description></item>
/// <item><term><c>playchat.packets.without_room</c></term><description>counter, {packet}: for a room in which their sender is no
/// member</description></item>
/// <item><term><c>playchat.packets.rate_limited</c></term><description>counter, {packet}: a rate limit refused them</description></item>
/// <item><term><c>playchat.protocol.violations</c></term><description>counter, {frame}: broke a rule of their format or
/// protocol</description></item>
/// </list>
/// <para>The last window: the gauges tell of the time between the two latest readings that were at least 10 s apart, so all
/// collectors see the same value; one that collects every 15 s sees the 15 s since its last collection. The first
/// collection begins the first window, so until the second the peaks are 0 and there is no duration.</para>
/// </remarks>
public static class PlayChatMeter
{
    /// <summary>The meter's name: <c>PlayChat.Core</c>.</summary>
    public const string Name = "PlayChat.Core";

    internal const string ConnectionsActive = "playchat.connections.active";
    internal const string ConnectionsAccepted = "playchat.connections.accepted";
    internal const string ConnectionsRefused = "playchat.connections.refused";
    internal const string HandshakesRefused = "playchat.handshakes.refused";
    internal const string HandshakesFailed = "playchat.handshakes.failed";
    internal const string ProxyLinksRefused = "playchat.proxy.refused";
    internal const string UpgradesRefused = "playchat.websocket.refused";
    internal const string ConnectionsClosed = "playchat.connections.closed";
    internal const string SessionsActive = "playchat.sessions.active";
    internal const string SessionsOpened = "playchat.sessions.opened";
    internal const string SessionsAway = "playchat.sessions.away";
    internal const string SessionsResumed = "playchat.sessions.resumed";
    internal const string ResumeStoreFaults = "playchat.resume_store.faults";
    internal const string RoomsActive = "playchat.rooms.active";
    internal const string RoomsCreated = "playchat.rooms.created";
    internal const string IoReceives = "playchat.io.receives";
    internal const string IoSends = "playchat.io.sends";
    internal const string BytesReceived = "playchat.bytes.received";
    internal const string BytesSent = "playchat.bytes.sent";
    internal const string FramesReceived = "playchat.frames.received";
    internal const string FramesSent = "playchat.frames.sent";
    internal const string FramesDropped = "playchat.frames.dropped";
    internal const string FramesReplaced = "playchat.frames.replaced";
    internal const string FramesSkipped = "playchat.frames.skipped";
    internal const string BroadcastDeliveries = "playchat.broadcast.deliveries";
    internal const string MessageDuration = "playchat.message.duration";
    internal const string RoomJobsEnqueued = "playchat.room.jobs.enqueued";
    internal const string RoomJobsExecuted = "playchat.room.jobs.executed";
    internal const string RoomJobsRefused = "playchat.room.jobs.refused";
    internal const string RoomQueuePeak = "playchat.room.queue.peak";
    internal const string RoomTicks = "playchat.room.ticks";
    internal const string RoomTicksMissed = "playchat.room.ticks.missed";
    internal const string RoomTickDrift = "playchat.room.tick.drift";
    internal const string SendBufferInUse = "playchat.send_buffer.in_use";
    internal const string SendBufferPeak = "playchat.send_buffer.peak";
    internal const string SendBufferPushes = "playchat.send_buffer.pushes";
    internal const string SendBufferPops = "playchat.send_buffer.pops";
    internal const string PoolInUse = "playchat.pool.in_use";
    internal const string PoolPeak = "playchat.pool.peak";
    internal const string PoolRents = "playchat.pool.rents";
    internal const string PoolReturns = "playchat.pool.returns";
    internal const string PoolReuses = "playchat.pool.reuses";
    internal const string SlowConsumers = "playchat.slow_consumers";
    internal const string ReadPauses = "playchat.read.pauses";
    internal const string HandlerFaults = "playchat.handler.faults";
    internal const string PacketsReceived = "playchat.packet.received";
    internal const string PacketBytes = "playchat.packet.bytes";
    internal const string PacketDuration = "playchat.packet.duration";
    internal const string PacketErrors = "playchat.packet.errors";
    internal const string PacketsUnknown = "playchat.packets.unknown";
    internal const string PacketsWithoutRoom = "playchat.packets.without_room";
    internal const string HandlersSlow = "playchat.handler.slow";
    internal const string PacketsRateLimited = "playchat.packets.rate_limited";
    internal const string AnswersDropped = "playchat.answers.dropped";
    internal const string ProtocolViolations = "playchat.protocol.violations";
}
