namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>The server's figures: present values, and what happened within one interval.</summary>
internal sealed record Figures(
    DateTimeOffset At,
    long Connections,
    long Sessions, // those that are away included
    long Away,
    long Rooms,
    double MessagesInPerSecond,
    double MessagesOutPerSecond,
    double BytesInPerSecond,
    double BytesOutPerSecond,
    double? P50Ms, // handling time; null without messages, like the next
    double? P99Ms,
    IReadOnlyList<long> LatencyCounts, // messages by handling time: up to 0.1, 0.5, 1, 5, 10, 50 ms, and longer
    double CpuPercent, // of one processor
    long WorkingSetBytes,
    double GcPauseMs, // for which collections held all threads
    long SlowConsumers, // how often a peer's queue was full
    long Closed, // connections
    long Refused, // connections
    long HandlerFaults,
    long RoomQueuePeak,
    double? ChatQueued, // messages that wait to be stored; null without a chat log, like the next
    double? ChatNotStored, // messages that were given up
    double? DatabaseOperations, // null without a database
    double? DatabaseMs, // mean time of an operation; null without any
    double? DatabaseFailures, // operations; null without a database
    double? LogDropped); // lines, because the disk was too slow
