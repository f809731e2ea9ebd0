using System.Collections.Frozen;

namespace PlayChat.Core.Diagnostics;

/// <summary>An instrument that reports one counter as it is.</summary>
internal sealed record CounterInstrument(string Name, Counter Counter, string Unit, string Description)
{
    /// <summary>All counter instruments. <see cref="ServerMeter"/> creates each, and <see cref="MetricsReading.Get"/> reads it.</summary>
    internal static IReadOnlyList<CounterInstrument> All { get; } =
    [
        new(PlayChatMeter.ConnectionsAccepted, Counter.ConnectionsAccepted, "{connection}", "Connections that were accepted."),
        new(PlayChatMeter.ConnectionsRefused, Counter.ConnectionsRefused, "{connection}", "Connections that a limit refused."),
        new(
            PlayChatMeter.HandshakesRefused, Counter.HandshakesRefused, "{handshake}",
            "TLS handshakes that were refused because too many were under way."),
        new(PlayChatMeter.HandshakesFailed, Counter.HandshakesFailed, "{handshake}", "TLS handshakes that failed or took too long."),
        new(
            PlayChatMeter.ProxyLinksRefused, Counter.ProxyLinksRefused, "{connection}",
            "Connections that were not a trusted proxy's, or brought no valid PROXY protocol header."),
        new(
            PlayChatMeter.UpgradesRefused, Counter.UpgradesRefused, "{connection}",
            "WebSocket requests that were answered by an HTTP error, or took too long."),
        new(PlayChatMeter.SessionsOpened, Counter.SessionsOpened, "{session}", "Sessions that began."),
        new(PlayChatMeter.SessionsResumed, Counter.SessionsResumed, "{session}", "Sessions that have resumed on another connection."),
        new(
            PlayChatMeter.ResumeStoreFaults, Counter.ResumeStoreFaults, "{fault}",
            "Calls of the resume store that failed or took too long."),
        new(PlayChatMeter.IoReceives, Counter.Receives, "{operation}", "Receive operations that moved bytes."),
        new(PlayChatMeter.IoSends, Counter.Sends, "{operation}", "Send operations that moved bytes."),
        new(PlayChatMeter.BytesReceived, Counter.BytesReceived, "By", "Bytes received, without what TLS adds."),
        new(PlayChatMeter.BytesSent, Counter.BytesSent, "By", "Bytes sent, without what TLS adds."),
        new(PlayChatMeter.FramesReceived, Counter.FramesReceived, "{frame}", "Frames received."),
        new(PlayChatMeter.FramesSent, Counter.FramesSent, "{frame}", "Frames sent, deliveries of broadcasts included."),
        new(PlayChatMeter.FramesDropped, Counter.FramesDropped, "{frame}", "Frames that could not be sent."),
        new(
            PlayChatMeter.FramesReplaced, Counter.FramesReplaced, "{frame}",
            "Frames replaced by a newer one of the same key while they waited for a slow peer."),
        new(PlayChatMeter.FramesSkipped, Counter.FramesSkipped, "{frame}", "Droppable frames dropped because the peer was behind."),
        new(PlayChatMeter.BroadcastDeliveries, Counter.Deliveries, "{frame}", "Frames that a broadcast gave to a member of a room."),
        new(PlayChatMeter.RoomsCreated, Counter.RoomsCreated, "{room}", "Rooms that were created."),
        new(PlayChatMeter.RoomJobsEnqueued, Counter.JobsEnqueued, "{job}", "Items posted to rooms."),
        new(PlayChatMeter.RoomJobsExecuted, Counter.JobsExecuted, "{job}", "Items that rooms have executed."),
        new(PlayChatMeter.RoomJobsRefused, Counter.JobsRefused, "{job}", "Items that rooms refused."),
        new(PlayChatMeter.RoomTicks, Counter.RoomTicks, "{tick}", "Ticks that rooms have run."),
        new(PlayChatMeter.RoomTicksMissed, Counter.RoomTicksMissed, "{tick}", "Ticks that could not run before the next was due."),
        new(PlayChatMeter.SendBufferPushes, Counter.SendBufferPushes, "{segment}", "Pooled segments put in outbound queues."),
        new(PlayChatMeter.SendBufferPops, Counter.SendBufferPops, "{segment}", "Pooled segments that left outbound queues."),
        new(PlayChatMeter.SlowConsumers, Counter.SlowConsumers, "{event}", "Times that a peer reached the bound of its outbound queue."),
        new(PlayChatMeter.ReadPauses, Counter.ReadPauses, "{event}", "Reading from a peer paused."),
        new(PlayChatMeter.HandlersSlow, Counter.SlowHandlers, "{event}", "Handlers and turns of rooms that took longer than 100 ms."),
        new(PlayChatMeter.HandlerFaults, Counter.HandlerFaults, "{fault}", "Handlers that threw."),
        new(PlayChatMeter.PacketsUnknown, Counter.UnknownPackets, "{packet}", "Packets whose id nothing handles."),
        new(
            PlayChatMeter.PacketsWithoutRoom, Counter.PacketsWithoutRoom, "{packet}",
            "Packets for a room in which their sender is no member."),
        new(PlayChatMeter.PacketsRateLimited, Counter.RateLimitedPackets, "{packet}", "Packets that a rate limit refused."),
        new(PlayChatMeter.AnswersDropped, Counter.AnswersDropped, "{packet}", "Answers that no request awaited."),
        new(
            PlayChatMeter.ProtocolViolations, Counter.ProtocolViolations, "{frame}",
            "Frames that broke a rule of their format or protocol."),
    ];

    /// <summary>The same, by the instrument's name.</summary>
    internal static FrozenDictionary<string, Counter> CounterOf { get; } =
        All.ToFrozenDictionary(static instrument => instrument.Name, static instrument => instrument.Counter, StringComparer.Ordinal);
}
