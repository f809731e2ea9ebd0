using System.Collections.Frozen;

namespace PlayChat.Core.Diagnostics;

/// <summary>An instrument that reports one counter as it is.</summary>
internal sealed record CounterInstrument(string Name, Counter Counter, string Unit, string Description)
{
    /// <summary>All counter instruments. <see cref="ServerMeter"/> creates each, and <see cref="MetricsReading.Get"/> reads it.</summary>
    internal static IReadOnlyList<CounterInstrument> All { get; } =
    [
        new("playchat.connections.accepted", Counter.ConnectionsAccepted, "{connection}", "Connections that were accepted."),
        new("playchat.connections.refused", Counter.ConnectionsRefused, "{connection}", "Connections that a limit refused."),
        new(
            "playchat.handshakes.refused", Counter.HandshakesRefused, "{handshake}",
            "TLS handshakes that were refused because too many were under way."),
        new("playchat.handshakes.failed", Counter.HandshakesFailed, "{handshake}", "TLS handshakes that failed or took too long."),
        new(
            "playchat.proxy.refused", Counter.ProxyLinksRefused, "{connection}",
            "Connections that were not a trusted proxy's, or brought no valid PROXY protocol header."),
        new(
            "playchat.websocket.refused", Counter.UpgradesRefused, "{connection}",
            "WebSocket requests that were answered by an HTTP error, or took too long."),
        new("playchat.sessions.opened", Counter.SessionsOpened, "{session}", "Sessions that began."),
        new("playchat.sessions.resumed", Counter.SessionsResumed, "{session}", "Sessions that have resumed on another connection."),
        new(
            "playchat.resume_store.faults", Counter.ResumeStoreFaults, "{fault}",
            "Calls of the resume store that failed or took too long."),
        new("playchat.io.receives", Counter.Receives, "{operation}", "Receive operations that moved bytes."),
        new("playchat.io.sends", Counter.Sends, "{operation}", "Send operations that moved bytes."),
        new("playchat.bytes.received", Counter.BytesReceived, "By", "Bytes received, without what TLS adds."),
        new("playchat.bytes.sent", Counter.BytesSent, "By", "Bytes sent, without what TLS adds."),
        new("playchat.frames.received", Counter.FramesReceived, "{frame}", "Frames received."),
        new("playchat.frames.sent", Counter.FramesSent, "{frame}", "Frames sent, deliveries of broadcasts included."),
        new("playchat.frames.dropped", Counter.FramesDropped, "{frame}", "Frames that could not be sent."),
        new(
            "playchat.frames.replaced", Counter.FramesReplaced, "{frame}",
            "Frames replaced by a newer one of the same key while they waited for a slow peer."),
        new("playchat.frames.skipped", Counter.FramesSkipped, "{frame}", "Droppable frames dropped because the peer was behind."),
        new("playchat.broadcast.deliveries", Counter.Deliveries, "{frame}", "Frames that a broadcast gave to a member of a room."),
        new("playchat.rooms.created", Counter.RoomsCreated, "{room}", "Rooms that were created."),
        new("playchat.room.jobs.enqueued", Counter.JobsEnqueued, "{job}", "Items posted to rooms."),
        new("playchat.room.jobs.executed", Counter.JobsExecuted, "{job}", "Items that rooms have executed."),
        new("playchat.room.jobs.refused", Counter.JobsRefused, "{job}", "Items that rooms refused."),
        new("playchat.room.ticks", Counter.RoomTicks, "{tick}", "Ticks that rooms have run."),
        new("playchat.room.ticks.missed", Counter.RoomTicksMissed, "{tick}", "Ticks that could not run before the next was due."),
        new("playchat.send_buffer.pushes", Counter.SendBufferPushes, "{segment}", "Pooled segments put in outbound queues."),
        new("playchat.send_buffer.pops", Counter.SendBufferPops, "{segment}", "Pooled segments that left outbound queues."),
        new("playchat.slow_consumers", Counter.SlowConsumers, "{event}", "Times that a peer reached the bound of its outbound queue."),
        new("playchat.read.pauses", Counter.ReadPauses, "{event}", "Reading from a peer paused."),
        new("playchat.handler.slow", Counter.SlowHandlers, "{event}", "Handlers and turns of rooms that took longer than 100 ms."),
        new("playchat.handler.faults", Counter.HandlerFaults, "{fault}", "Handlers that threw."),
        new("playchat.packets.unknown", Counter.UnknownPackets, "{packet}", "Packets whose id nothing handles."),
        new(
            "playchat.packets.without_room", Counter.PacketsWithoutRoom, "{packet}",
            "Packets for a room in which their sender is no member."),
        new("playchat.packets.rate_limited", Counter.RateLimitedPackets, "{packet}", "Packets that a rate limit refused."),
        new("playchat.answers.dropped", Counter.AnswersDropped, "{packet}", "Answers that no request awaited."),
        new("playchat.protocol.violations", Counter.ProtocolViolations, "{frame}", "Frames that broke a rule of their format or protocol."),
    ];

    /// <summary>The same, by the instrument's name.</summary>
    internal static FrozenDictionary<string, Counter> CounterOf { get; } =
        All.ToFrozenDictionary(static instrument => instrument.Name, static instrument => instrument.Counter, StringComparer.Ordinal);
}
