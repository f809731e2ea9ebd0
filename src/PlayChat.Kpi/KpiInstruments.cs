namespace PlayChat.Kpi;

/// <summary>Where each figure comes from: the instruments of <see cref="PlayChatMeter"/> by name.</summary>
internal static class KpiInstruments
{
    internal const string QueuePeak = "playchat.room.queue.peak";
    internal const string SendBufferPeak = "playchat.send_buffer.peak";
    internal const string SendBuffersInUse = "playchat.send_buffer.in_use";
    internal const string PoolPeak = "playchat.pool.peak";
    internal const string PoolInUse = "playchat.pool.in_use";
    internal const string RoomTicks = "playchat.room.ticks";
    internal const string RoomTicksMissed = "playchat.room.ticks.missed";

    /// <summary>The totals by the names of their properties, in the order of their keys in JSON. Where a total has two instruments, it is
    /// the first one less the second one.</summary>
    internal static (string Name, string Instrument, string? Less)[] Totals { get; } =
    [
        (nameof(KpiSnapshot.Receives), "playchat.io.receives", null),
        (nameof(KpiSnapshot.Sends), "playchat.io.sends", null),
        (nameof(KpiSnapshot.BytesReceived), "playchat.bytes.received", null),
        (nameof(KpiSnapshot.BytesSent), "playchat.bytes.sent", null),
        (nameof(KpiSnapshot.FramesReceived), "playchat.frames.received", null),
        (nameof(KpiSnapshot.FramesSent), "playchat.frames.sent", null),
        (nameof(KpiSnapshot.FramesDropped), "playchat.frames.dropped", null),
        (nameof(KpiSnapshot.FramesReplaced), "playchat.frames.replaced", null),
        (nameof(KpiSnapshot.FramesSkipped), "playchat.frames.skipped", null),
        (nameof(KpiSnapshot.Deliveries), "playchat.broadcast.deliveries", null),
        (nameof(KpiSnapshot.JobsEnqueued), "playchat.room.jobs.enqueued", null),
        (nameof(KpiSnapshot.JobsExecuted), "playchat.room.jobs.executed", null),
        (nameof(KpiSnapshot.JobsRefused), "playchat.room.jobs.refused", null),
        (nameof(KpiSnapshot.SendBufferPushes), "playchat.send_buffer.pushes", null),
        (nameof(KpiSnapshot.SendBufferPops), "playchat.send_buffer.pops", null),
        (nameof(KpiSnapshot.PoolRents), "playchat.pool.rents", null),
        (nameof(KpiSnapshot.PoolReturns), "playchat.pool.returns", null),
        (nameof(KpiSnapshot.PoolReuses), "playchat.pool.reuses", null),
        (nameof(KpiSnapshot.ConnectionsAccepted), "playchat.connections.accepted", null),
        (nameof(KpiSnapshot.ConnectionsRefused), "playchat.connections.refused", null),
        (nameof(KpiSnapshot.SessionsOpened), "playchat.sessions.opened", null),
        (nameof(KpiSnapshot.SessionsClosed), "playchat.sessions.opened", "playchat.sessions.active"),
        (nameof(KpiSnapshot.RoomsCreated), "playchat.rooms.created", null),
        (nameof(KpiSnapshot.RoomsRemoved), "playchat.rooms.created", "playchat.rooms.active"),
        (nameof(KpiSnapshot.SlowConsumers), "playchat.slow_consumers", null),
        (nameof(KpiSnapshot.HandlerFaults), "playchat.handler.faults", null),
        (nameof(KpiSnapshot.UnknownPackets), "playchat.packets.unknown", null),
        (nameof(KpiSnapshot.RateLimitedPackets), "playchat.packets.rate_limited", null),
        (nameof(KpiSnapshot.AnswersDropped), "playchat.answers.dropped", null),
        (nameof(KpiSnapshot.ReadPauses), "playchat.read.pauses", null),
        (nameof(KpiSnapshot.ProtocolViolations), "playchat.protocol.violations", null),
    ];

    internal static Dictionary<string, long> ReadTotals(MetricsReading reading) => Totals.ToDictionary(
        static total => total.Name,
        total => reading.Get(total.Instrument) - (total.Less is { } less ? reading.Get(less) : 0),
        StringComparer.Ordinal);
}
