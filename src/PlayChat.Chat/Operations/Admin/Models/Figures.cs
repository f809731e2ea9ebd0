namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>The server's figures: present values, and rates over one interval.</summary>
/// <param name="At">When they were taken, in UTC.</param>
/// <param name="Connections">Open connections.</param>
/// <param name="Sessions">Sessions, those that are away included.</param>
/// <param name="Away">Sessions that are away.</param>
/// <param name="Rooms">Rooms.</param>
/// <param name="MessagesInPerSecond">Frames received per second.</param>
/// <param name="MessagesOutPerSecond">Frames sent per second.</param>
/// <param name="BytesInPerSecond">Bytes received per second.</param>
/// <param name="BytesOutPerSecond">Bytes sent per second.</param>
/// <param name="P50Ms">Median handling time in milliseconds; null without messages.</param>
/// <param name="P99Ms">99th percentile in milliseconds; null without messages.</param>
/// <param name="LatencyCounts">Messages by handling time: up to 0.1, 0.5, 1, 5, 10, 50 ms, and longer.</param>
/// <param name="CpuPercent">CPU time in percent of one processor.</param>
/// <param name="WorkingSetBytes">Memory of the process.</param>
/// <param name="GcPauseMs">Time in which garbage collections held all threads.</param>
/// <param name="SlowConsumers">How often a peer's queue was full, within the interval.</param>
/// <param name="Closed">Connections that ended within the interval.</param>
/// <param name="Refused">Connections that were refused within the interval.</param>
/// <param name="HandlerFaults">Handlers that threw within the interval.</param>
/// <param name="RoomQueuePeak">The deepest queue of a room within the interval.</param>
/// <param name="ChatQueued">Messages that wait to be stored; null without a chat log.</param>
/// <param name="ChatNotStored">Messages that were given up within the interval; null without a chat log.</param>
/// <param name="DatabaseOperations">Database operations within the interval; null without a database.</param>
/// <param name="DatabaseMs">Mean time of one of them in milliseconds; null without any.</param>
/// <param name="DatabaseFailures">Those that failed; null without a database.</param>
/// <param name="LogDropped">Log lines that were dropped because the disk was too slow.</param>
internal sealed record Figures(
    DateTimeOffset At,
    long Connections,
    long Sessions,
    long Away,
    long Rooms,
    double MessagesInPerSecond,
    double MessagesOutPerSecond,
    double BytesInPerSecond,
    double BytesOutPerSecond,
    double? P50Ms,
    double? P99Ms,
    IReadOnlyList<long> LatencyCounts,
    double CpuPercent,
    long WorkingSetBytes,
    double GcPauseMs,
    long SlowConsumers,
    long Closed,
    long Refused,
    long HandlerFaults,
    long RoomQueuePeak,
    double? ChatQueued,
    double? ChatNotStored,
    double? DatabaseOperations,
    double? DatabaseMs,
    double? DatabaseFailures,
    double? LogDropped);
