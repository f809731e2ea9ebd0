namespace PlayChat.Core.Diagnostics;

/// <summary>The names of the meter and of its instruments. They are stable: dashboards and alerts are built on them.</summary>
/// <remarks>
/// <para>docs/reference/metrics.md lists the instruments as Prometheus shows them: <c>playchat_frames_received_total</c> there is
/// <c>playchat.frames.received</c> here. Two differ in their kind: <c>playchat.message.duration</c> and <c>playchat.room.tick.drift</c> are
/// gauges of the last window, with the tag <c>quantile</c> (<c>0.5</c>, <c>0.9</c>, <c>0.99</c>, <c>0.999</c>, <c>1</c>).</para>
/// <para>All instruments but <c>playchat.packet.duration</c> and <c>playchat.packet.errors</c> are observable: they cost nothing until a
/// collector reads them. Packets are measured while a listener subscribes to <c>playchat.packet.duration</c>. Process and collector figures
/// are those of the runtime's own meter (<c>System.Runtime</c>).</para>
/// <para>The last window: the gauges tell of the time between the two latest readings that were at least 10 s apart, so all
/// collectors see the same value; one that collects every 15 s sees the 15 s since its last collection. The first
/// collection begins the first window, so until the second the peaks are 0 and there is no duration.</para>
/// </remarks>
public static class PlayChatMeter
{
    /// <summary>The meter's name: <c>PlayChat.Core</c>.</summary>
    public const string Name = "PlayChat.Core";

    internal const string ConnectionsActive = "playchat.connections.active";
    internal const string ConnectionsClosed = "playchat.connections.closed";
    internal const string SessionsActive = "playchat.sessions.active";
    internal const string SessionsAway = "playchat.sessions.away";
    internal const string RoomsActive = "playchat.rooms.active";
    internal const string MessageDuration = "playchat.message.duration";
    internal const string RoomQueuePeak = "playchat.room.queue.peak";
    internal const string RoomTickDrift = "playchat.room.tick.drift";
    internal const string SendBufferInUse = "playchat.send_buffer.in_use";
    internal const string SendBufferPeak = "playchat.send_buffer.peak";
    internal const string PoolInUse = "playchat.pool.in_use";
    internal const string PoolPeak = "playchat.pool.peak";
    internal const string PoolRents = "playchat.pool.rents";
    internal const string PoolReturns = "playchat.pool.returns";
    internal const string PoolReuses = "playchat.pool.reuses";
    internal const string PacketsReceived = "playchat.packet.received";
    internal const string PacketBytes = "playchat.packet.bytes";
    internal const string PacketDuration = "playchat.packet.duration";
    internal const string PacketErrors = "playchat.packet.errors";
}
