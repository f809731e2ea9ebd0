using PlayChat.Chat.Operations.Admin.Models;

namespace PlayChat.Chat.Operations.Admin;

/// <summary>Judges from the figures of the last minute whether all is well.</summary>
internal sealed class StatusReader(
    PlayChatServer server,
    ServerSettings settings,
    FigureHistory history,
    IHostApplicationLifetime lifetime,
    IChatStore? store = null)
{
    private const string Critical = "critical";
    private const string Ordinary = "warning";
    private const int PointsOfAMinute = 30;

    // A chat feels slow from about here on, and a healthy server stays far below.
    private const double SlowP99Ms = 50;

    // A percentile of fewer messages says little.
    private const long MinMessages = 100;

    private const double FullPart = 0.9;

    public ServerStatus Read()
    {
        Figures latest = history.ReadLatest();
        bool isDraining = lifetime.ApplicationStopping.IsCancellationRequested;
        IReadOnlyList<Figures> minute = history.Read(PointsOfAMinute).Points;
        Warning[] warnings = [.. FindWarnings(latest, minute, isDraining).OrderBy(static warning => warning.Level != Critical)];
        string level = warnings.Length == 0 ? "ok" : warnings[0].Level;
        string summary = warnings.Length == 0
            ? string.Create(CultureInfo.InvariantCulture, $"No warnings. Connections: {latest.Connections:N0}, rooms: {latest.Rooms:N0}.")
            : warnings.Length == 1 ? warnings[0].Message : $"{warnings[0].Message} {warnings.Length - 1} more.";
        return new ServerStatus(
            level,
            summary,
            warnings,
            $"PlayChat {ServerVersion.Build}",
            settings.Mode.ToString().ToLowerInvariant(),
            history.StartedAt,
            isDraining,
            server.ConnectionLimit,
            [.. server.EndPoints.Select(static endPoint => endPoint.ToString()!)],
            store?.Location,
            latest);
    }

    private IEnumerable<Warning> FindWarnings(Figures latest, IReadOnlyList<Figures> minute, bool isDraining)
    {
        double notStored = minute.Sum(static point => point.ChatNotStored ?? 0);
        double failures = minute.Sum(static point => point.DatabaseFailures ?? 0);
        long faults = minute.Sum(static point => point.HandlerFaults);
        long slow = minute.Sum(static point => point.SlowConsumers);
        double dropped = minute.Sum(static point => point.LogDropped ?? 0);
        int most = server.ConnectionLimit;
        int queueItems = server.Options.Rooms.QueueItems;
        (bool Holds, string Level, string Code, string Message)[] all =
        [
            (isDraining, Ordinary, "draining", "The server is stopping."),
            (notStored > 0, Critical, "chat-not-stored",
                $"{notStored:N0} messages of the last minute are not stored. Check the database and the log."),
            (failures > 0, Critical, "database-failures",
                $"{failures:N0} database operations failed in the last minute. Check the database and the log."),
            (faults > 0, Ordinary, "handler-faults", $"Handlers threw {faults:N0} exceptions in the last minute. The log has them."),
            (slow > 0, Ordinary, "slow-consumers",
                $"Clients did not read fast enough {slow:N0} times in the last minute. See the slow sessions and the closes."),
            (latest.P99Ms > SlowP99Ms && latest.LatencyCounts.Sum() >= MinMessages, Ordinary, "latency",
                $"1 % of the messages take {latest.P99Ms:N0} ms or longer. See the busiest rooms and the threads."),
            (latest.Connections > most * FullPart, Ordinary, "connections",
                $"{latest.Connections:N0} of {most:N0} connections are open (PlayChat:Connections:MaxConnections, limit of open files)."),
            (latest.RoomQueuePeak > queueItems * FullPart, Ordinary, "room-queue",
                $"A room's queue is nearly full: {latest.RoomQueuePeak:N0} of {queueItems:N0}. See the rooms."),
            (latest.ChatQueued > settings.ChatLog.QueueRecords * FullPart, Ordinary, "chat-queue",
                $"{latest.ChatQueued:N0} messages wait to be stored: the database is too slow."),
            (dropped > 0, Ordinary, "log-dropped", $"{dropped:N0} log lines were dropped in the last minute: the disk is too slow."),
        ];
        return all.Where(static one => one.Holds).Select(static one => new Warning(one.Level, one.Code, one.Message));
    }
}
