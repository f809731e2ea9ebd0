using System.Diagnostics.Metrics;
using PlayChat.Chat.Accounts;
using PlayChat.Core.Rooms;
using PlayChat.Storage.ChatLog;
using PlayChat.Webhooks;

namespace PlayChat.Chat.Operations.Metrics;

/// <summary>The chat server's instruments, in the meter <c>PlayChat.Server</c>: the chat log, logins, rooms by size, webhooks, and
/// limits.</summary>
/// <remarks>All are observable: they cost nothing until they are read.</remarks>
internal sealed class ServerInstruments
{
    // The upper bounds of the classes of rooms, in members.
    private static readonly (int Most, string Text)[] s_roomSizes =
        [(0, "0"), (1, "1"), (9, "2-9"), (99, "10-99"), (999, "100-999"), (int.MaxValue, "1000+")];

    private readonly Meter _meter;
    private readonly PlayChatServer _server;

    public ServerInstruments(
        IMeterFactory factory,
        PlayChatServer server,
        ServerSettings settings,
        FloodFilter flood,
        IHostApplicationLifetime lifetime,
        ChatLogWriter? chatLog = null,
        AccountLogin? logins = null,
        PlayerLimits? players = null,
        WebhookService? webhooks = null)
    {
        _meter = factory.Create("PlayChat.Server");
        _server = server;
        var build = new Measurement<int>(
            1, [new("version", ServerVersion.Number), new("mode", settings.Mode.ToString().ToLowerInvariant())]);
        _meter.CreateObservableGauge<int>(
            "playchat.build.info", () => build, unit: null, "Always 1; its labels tell the version and the mode of the server.");
        Gauge(
            "playchat.draining",
            () => lifetime.ApplicationStopping.IsCancellationRequested ? 1 : 0,
            "1 while the server stops, otherwise 0.");
        Gauge("playchat.connections.limit", () => server.ConnectionLimit, "The most connections that the server takes.", "{connection}");
        Gauge("playchat.room.queue.limit", () => server.Options.Rooms.QueueItems, "The most items that wait in one room's queue.", "{job}");
        _meter.CreateObservableGauge("playchat.rooms.by_size", CountRooms, "{room}", "Rooms by their number of members.");
        Counter(
            "playchat.log.lines.dropped",
            static () => LogQueueMonitor.Instance.Dropped,
            "{line}",
            "Log lines dropped because the disk was too slow.");
        Counter("playchat.log.lines.left_out", () => flood.LeftOut, "{line}", "Log lines left out because an event repeated too often.");
        if (chatLog is not null)
        {
            AddChatLog(chatLog.Metrics, settings);
        }

        if (logins is not null && players is not null)
        {
            Gauge("playchat.logins.pending", () => logins.Pending, "Logins that wait for the check of their password.", "{login}");
            Counter("playchat.logins.refused", () => logins.Refused, "{login}", "Logins that were not let in, for whatever reason.");
            Counter("playchat.requests.limited", () => players.Refused, "{request}", "Requests refused by a limit per player.");
        }

        if (webhooks is not null)
        {
            Webhook("waiting", webhooks, static one => one.Waiting, "Requests that a webhook's receiver does not have yet.");
            Webhook("dead_letters", webhooks, static one => one.DeadLetters, "Requests to a webhook's receiver that were given up.");
            Webhook("failures", webhooks, static one => one.Failures, "Requests to a webhook's receiver that have failed in a row.");
        }

        RuntimeInstruments.AddTo(_meter);
    }

    private void AddChatLog(ChatLogMetrics log, ServerSettings settings)
    {
        Gauge("playchat.chat_log.queued", () => log.Queued, "Messages that wait to be stored.", "{message}");
        Gauge(
            "playchat.chat_log.queue.limit",
            () => settings.ChatLog.QueueRecords,
            "The most messages that wait to be stored.",
            "{message}");
        Gauge(
            "playchat.chat_log.in_spill",
            () => log.InSpill,
            "Messages in the spill file, which the database does not have yet.",
            "{message}");
        Counter(
            "playchat.chat_log.stored",
            () => log.InDatabase,
            "{message}",
            "Messages that the database has added; one that it had already is not counted.");
        Counter("playchat.chat_log.not_stored", () => log.NotStored, "{message}", "Messages that were refused or lost and are not stored.");
        Counter(
            "playchat.chat_log.missing_in_files",
            () => log.GivenUp,
            "{message}",
            "Messages that the day files lack and the database has.");
        Counter("playchat.chat_log.failures", () => log.Failures, "{write}", "Failed writes of messages. Each is tried again.");
    }

    private IEnumerable<Measurement<int>> CountRooms()
    {
        int[] counts = new int[s_roomSizes.Length];
        foreach (Room room in _server.Rooms.All)
        {
            int members = room.MemberCount;
            counts[Array.FindIndex(s_roomSizes, size => members <= size.Most)]++;
        }

        return s_roomSizes.Select(
            (size, i) => new Measurement<int>(counts[i], new KeyValuePair<string, object?>("members", size.Text)));
    }

    private void Webhook(string name, WebhookService webhooks, Func<WebhookStatus, long> read, string description) =>
        _meter.CreateObservableGauge(
            $"playchat.webhooks.{name}",
            () => webhooks.List().Select(one => new Measurement<long>(read(one), new KeyValuePair<string, object?>("target", one.Name))),
            "{request}",
            description);

    private void Gauge<T>(string name, Func<T> read, string description, string? unit = null)
        where T : struct => _meter.CreateObservableGauge(name, read, unit, description);

    private void Counter(string name, Func<long> read, string unit, string description) =>
        _meter.CreateObservableCounter(name, read, unit, description);
}
