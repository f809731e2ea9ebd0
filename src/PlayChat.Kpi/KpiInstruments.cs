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

    internal static long[] ReadTotals(MetricsReading reading) =>
        Array.ConvertAll(Enum.GetValues<KpiTotal>(), total => Read(reading, total));

    private static long Read(MetricsReading reading, KpiTotal total) => total switch
    {
        KpiTotal.Receives => reading.Get("playchat.io.receives"),
        KpiTotal.Sends => reading.Get("playchat.io.sends"),
        KpiTotal.BytesReceived => reading.Get("playchat.bytes.received"),
        KpiTotal.BytesSent => reading.Get("playchat.bytes.sent"),
        KpiTotal.FramesReceived => reading.Get("playchat.frames.received"),
        KpiTotal.FramesSent => reading.Get("playchat.frames.sent"),
        KpiTotal.FramesDropped => reading.Get("playchat.frames.dropped"),
        KpiTotal.FramesReplaced => reading.Get("playchat.frames.replaced"),
        KpiTotal.FramesSkipped => reading.Get("playchat.frames.skipped"),
        KpiTotal.Deliveries => reading.Get("playchat.broadcast.deliveries"),
        KpiTotal.JobsEnqueued => reading.Get("playchat.room.jobs.enqueued"),
        KpiTotal.JobsExecuted => reading.Get("playchat.room.jobs.executed"),
        KpiTotal.JobsRefused => reading.Get("playchat.room.jobs.refused"),
        KpiTotal.SendBufferPushes => reading.Get("playchat.send_buffer.pushes"),
        KpiTotal.SendBufferPops => reading.Get("playchat.send_buffer.pops"),
        KpiTotal.PoolRents => reading.Get("playchat.pool.rents"),
        KpiTotal.PoolReturns => reading.Get("playchat.pool.returns"),
        KpiTotal.PoolReuses => reading.Get("playchat.pool.reuses"),
        KpiTotal.ConnectionsAccepted => reading.Get("playchat.connections.accepted"),
        KpiTotal.ConnectionsRefused => reading.Get("playchat.connections.refused"),
        KpiTotal.SessionsOpened => reading.Get("playchat.sessions.opened"),
        KpiTotal.SessionsClosed => reading.Get("playchat.sessions.opened") - reading.Get("playchat.sessions.active"),
        KpiTotal.RoomsCreated => reading.Get("playchat.rooms.created"),
        KpiTotal.RoomsRemoved => reading.Get("playchat.rooms.created") - reading.Get("playchat.rooms.active"),
        KpiTotal.SlowConsumers => reading.Get("playchat.slow_consumers"),
        KpiTotal.HandlerFaults => reading.Get("playchat.handler.faults"),
        KpiTotal.UnknownPackets => reading.Get("playchat.packets.unknown"),
        KpiTotal.RateLimitedPackets => reading.Get("playchat.packets.rate_limited"),
        KpiTotal.AnswersDropped => reading.Get("playchat.answers.dropped"),
        KpiTotal.ReadPauses => reading.Get("playchat.read.pauses"),
        KpiTotal.ProtocolViolations => reading.Get("playchat.protocol.violations"),
        _ => throw new ArgumentOutOfRangeException(nameof(total), total, "There is no instrument for this total."),
    };
}
