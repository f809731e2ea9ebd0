using PlayChat.Chat.Operations.Admin;
using PlayChat.Chat.Operations.Admin.Models;
using PlayChat.Webhooks;

namespace PlayChat.Chat.Cli;

/// <summary>Shows the answers of the admin API to a person.</summary>
internal static class AdminTables
{
    private const string NothingMatches = "No session matches.\n";

    private const string NotSlowYet =
        "A client that has stopped reading is not slow before the system's buffers for it are full, which may take a minute.\n";

    public static string Of(ServerStatus status)
    {
        Figures now = status.Figures;
        string warnings = string.Concat(status.Warnings.Select(static warning => $"  {warning.Level}: {warning.Message}\n"));
        return $"{status.Level.ToUpperInvariant()}  {status.Summary}\n{warnings}" + TextTable.Format(
            ["figure", ">value"],
            [
                ["connections", $"{Count(now.Connections)} of {Count(status.MaxConnections)}"],
                ["away", Count(now.Away)],
                ["rooms", Count(now.Rooms)],
                ["messages in/s", Count(now.MessagesInPerSecond)],
                ["messages out/s", Count(now.MessagesOutPerSecond)],
                ["handling time p50", Time(now.P50Ms)],
                ["handling time p99", Time(now.P99Ms)],
                ["CPU % of one", Count(now.CpuPercent)],
                ["memory", Bytes(now.WorkingSetBytes)],
                ["database", Time(now.DatabaseMs)],
                ["version", status.Version],
                ["started", status.StartedAt.ToString("u", CultureInfo.InvariantCulture)],
            ]);
    }

    public static string Of(Page<SessionInfo> page, string? state) =>
        page.Items.Count > 0 ? Of(page.Items) + More(page.NextAfter)
        : state == SessionReader.Slow ? NothingMatches + NotSlowYet
        : NothingMatches;

    public static string Of(IReadOnlyList<SessionInfo> sessions)
    {
        string[] titles =
        [
            ">session", "player", "state", ">open for", ">silent", ">blocked", ">queued", ">received", ">sent", ">msg/s in", ">msg/s out",
            "address", "rooms",
        ];
        return TextTable.Format(titles, sessions.Select(static session => (IReadOnlyList<string>)
        [
            Id(session.Id),
            session.UserName ?? "-",
            session.State,
            Seconds(session.AgeSeconds),
            Seconds(session.SilentSeconds),
            Seconds(session.BlockedSeconds),
            Bytes(session.QueuedBytes),
            Bytes(session.BytesReceived),
            Bytes(session.BytesSent),
            session.Rates is null ? "-" : Count(session.Rates.FramesReceivedPerSecond),
            session.Rates is null ? "-" : Count(session.Rates.FramesSentPerSecond),
            session.Address ?? "-",
            string.Join(", ", session.Rooms.Select(static room => room.Name)),
        ]));
    }

    public static string Of(Page<RoomSummary> page) =>
        page.Items.Count == 0 ? "No room matches.\n" : OfRooms(page.Items) + More(page.NextAfter);

    public static string Of(RoomDetail detail) => $"{OfRooms([detail.Room])}\n{Of(detail.Members)}";

    public static string Of(CloseList closes)
    {
        string totals = string.Join(
            ", ", closes.Totals.OrderByDescending(static total => total.Value).Select(static total => $"{total.Key} {Count(total.Value)}"));
        string[] titles = ["time (UTC)", ">session", "player", "address", "reason", ">open for", ">queued"];
        string list = TextTable.Format(titles, closes.Items.Select(static item => (IReadOnlyList<string>)
        [
            item.At.UtcDateTime.ToString("HH:mm:ss", CultureInfo.InvariantCulture),
            Id(item.SessionId),
            item.UserName ?? "-",
            item.Address ?? "-",
            item.Reason,
            Seconds(item.AgeSeconds),
            Bytes(item.QueuedBytes),
        ]));
        string reasons = string.Concat(closes.Items.DistinctBy(static item => item.Reason, StringComparer.Ordinal)
            .Select(static item => $"  {item.Reason}: {item.Explanation}\n"));
        return $"{list}Since the start: {(totals.Length == 0 ? "none" : totals)}\n{reasons}";
    }

    public static string Of(Page<AccountInfo> page) => page.Items.Count == 0
        ? "There are no accounts.\n"
        : TextTable.Format([">id", "state", "made (UTC)", "last login (UTC)", "name"], page.Items.Select(
            static account => (IReadOnlyList<string>)
            [
                Id(account.Id), account.State, Date(account.CreatedAt), Date(account.LastLoginAt), account.Name,
            ])) + More(page.NextAfter);

    public static string Of(IReadOnlyList<BanInfo> bans) => bans.Count == 0
        ? "Nothing is banned.\n"
        : TextTable.Format(["banned", "kind", "until (UTC)", "since (UTC)", "reason"], bans.Select(
            static ban => (IReadOnlyList<string>)
            [
                ban.Subject, ban.Kind, Date(ban.ExpiresAt), Date(ban.CreatedAt), ban.Reason,
            ]));

    public static string Of(IReadOnlyList<WebhookStatus> webhooks) => webhooks.Count == 0
        ? "The server has no webhooks.\n"
        : TextTable.Format(
            ["webhook", "address", ">waiting", "oldest (UTC)", ">dead letters", ">failures", "next try (UTC)", "last error"],
            webhooks.Select(static webhook => (IReadOnlyList<string>)
            [
                webhook.Name,
                webhook.Address,
                Count(webhook.Waiting),
                Date(webhook.OldestAt, "-"),
                Count(webhook.DeadLetters),
                Count(webhook.Failures),
                Date(webhook.NextTryAt, "-"),
                webhook.LastError ?? "-",
            ]));

    public static string Of(Page<DeadLetter> page) => page.Items.Count == 0
        ? "There are no dead letters.\n"
        : TextTable.Format([">id", "webhook", ">room", ">messages", "came (UTC)", "given up (UTC)", "error"], page.Items.Select(
            static dead => (IReadOnlyList<string>)
            [
                Id(dead.Id), dead.Target, Id(dead.RoomId), Count(dead.Messages), Date(dead.CreatedAt), Date(dead.FailedAt), dead.Error,
            ])) + More(page.NextAfter);

    public static string Of(IReadOnlyList<LimitInfo> limits) => TextTable.Format(["key", "value", "default", "changes at"], limits.Select(
        static limit => (IReadOnlyList<string>)
        [
            limit.Key, limit.Value, limit.Default, limit.IsChangeable ? "run time" : "restart",
        ]));

    public static string Of(IReadOnlyList<LogLevelInfo> levels) => TextTable.Format(
        ["source", "level"], levels.Select(static level => (IReadOnlyList<string>)[level.Source, level.Level]));

    public static string Of(RuntimeInfo runtime) => TextTable.Format(["figure", ">value"],
    [
        ["heap", Bytes(runtime.HeapBytes)],
        ["committed", Bytes(runtime.CommittedBytes)],
        ["fragmented", Bytes(runtime.FragmentedBytes)],
        ["allocated since the start", Bytes(runtime.AllocatedBytes)],
        ["process memory", Bytes(runtime.WorkingSetBytes)],
        ["available to the process", Bytes(runtime.AvailableBytes)],
        ["GC pauses, % of the time", runtime.GcPausePercent.ToString("0.##", CultureInfo.InvariantCulture)],
        ["threads", Count(runtime.Threads)],
        ["pool threads (busy)", $"{Count(runtime.PoolThreads)} ({Count(runtime.BusyPoolThreads)})"],
        ["work that waits for a thread", Count(runtime.PendingWorkItems)],
        ["waits for locks since the start", Count(runtime.LockContentions)],
        ["timers", Count(runtime.Timers)],
        ["runtime", runtime.Runtime],
    ]) + "\n" + TextTable.Format(["generation", ">size", ">fragmented", ">collections"], runtime.Generations.Select(
        static generation => (IReadOnlyList<string>)
        [
            generation.Name,
            Bytes(generation.SizeBytes),
            Bytes(generation.FragmentedBytes),
            generation.Collections is { } count ? Count(count) : "-",
        ]));

    private static string OfRooms(IReadOnlyList<RoomSummary> rooms) => TextTable.Format(
        [">room", "name", ">members", ">capacity", ">waiting", ">jobs", ">jobs/s"],
        rooms.Select(static room => (IReadOnlyList<string>)
        [
            Id(room.Id),
            room.Name,
            Count(room.Members),
            Count(room.Capacity),
            Count(room.QueuedJobs),
            Count(room.JobsExecuted),
            room.JobsPerSecond is { } rate ? Count(rate) : "-",
        ]));

    /// <summary>A time in UTC.</summary>
    public static string Date(DateTimeOffset? time, string none = "never") =>
        time?.UtcDateTime.ToString("yyyy-MM-dd HH:mm", CultureInfo.InvariantCulture) ?? none;

    private static string More(long? nextAfter) => nextAfter is { } after
        ? string.Create(CultureInfo.InvariantCulture, $"More follow: --after {after}\n")
        : "";

    private static string Id(long id) => id.ToString(CultureInfo.InvariantCulture);

    private static string Count(double value) => value.ToString("#,0.#", CultureInfo.InvariantCulture);

    private static string Time(double? milliseconds) =>
        milliseconds is { } value ? value.ToString("0.## ms", CultureInfo.InvariantCulture) : "-";

    private static string Seconds(double seconds) => seconds switch
    {
        < 60 => seconds.ToString("0.# s", CultureInfo.InvariantCulture),
        < 3600 => (seconds / 60).ToString("0 min", CultureInfo.InvariantCulture),
        _ => (seconds / 3600).ToString("0.# h", CultureInfo.InvariantCulture),
    };

    private static string Bytes(double bytes) => bytes switch
    {
        < 1024 => bytes.ToString("0 B", CultureInfo.InvariantCulture),
        < 1024 * 1024 => (bytes / 1024).ToString("0.# KB", CultureInfo.InvariantCulture),
        < 1024L * 1024 * 1024 => (bytes / (1024 * 1024)).ToString("0.# MB", CultureInfo.InvariantCulture),
        _ => (bytes / (1024L * 1024 * 1024)).ToString("0.## GB", CultureInfo.InvariantCulture),
    };
}
