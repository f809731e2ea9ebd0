using System.Globalization;
using System.Text.Json.Nodes;
using PlayChat.Benchmark.Failures;
using PlayChat.Benchmark.Fanout;
using PlayChat.Benchmark.Pacing;
using PlayChat.Benchmark.Run;
using PlayChat.Benchmark.Servers;
using PlayChat.Core.Connections;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Hosting;
using PlayChat.Kpi;
using PlayChat.Protocol;

namespace PlayChat.Benchmark.Chat;

/// <summary>Players that talk at one rate in rooms of their own, the thread that sends for them, and their counts.</summary>
internal sealed class ChatCrowd
{
    private readonly ChatSettings _settings;
    private readonly ChatLoad _load;
    private readonly FanoutLog _log;
    private readonly ChatBot[] _bots;
    private readonly Pacer _pacer;

    /// <param name="settings">Clients, rooms and rate; what else there is in a run is not looked at.</param>
    /// <param name="faults">The run's.</param>
    public ChatCrowd(ChatSettings settings, FaultLog faults)
    {
        _settings = settings;
        _load = new ChatLoad(settings, faults);
        _log = new FanoutLog(_load.Roster, settings.Late);
        VerifiedMessages?[] verified = Enumerable.Range(0, settings.Rooms)
            .Select(room => Roster.MembersOf(room) < VerifiedMessages.MinMembers ? null : new VerifiedMessages())
            .ToArray();
        _bots = Enumerable.Range(0, settings.Clients)
            .Select(index => new ChatBot(
                index, _load, new DeliveryChecker(Roster, _load.Texts, index, _log, verified[Roster.RoomOf(index)])))
            .ToArray();
        _pacer = new Pacer(
            new PacingPlan(settings.Clients, settings.MessagesPerSecond, settings.Seed), settings.Mix, settings.Seed, _bots);
    }

    /// <summary>The room of each client.</summary>
    public ChatRoster Roster => _load.Roster;

    /// <summary>Messages sent, in all phases.</summary>
    public long Sent => _pacer.Sent;

    /// <summary>Planned to real time of sending, of what was measured. To be read when <see cref="Stopped"/> has completed.</summary>
    public LatencyHistogram Lag => _pacer.Lag;

    /// <summary>Completes when nothing is sent any more.</summary>
    public Task Stopped => _pacer.Stopped;

    /// <summary>The latency of what was measured so far; the reader's own.</summary>
    public LatencyHistogram Measured => _log.Rooms.Snapshot();

    public long MeasuredSent => Sum(static bot => bot.MeasuredSent);

    public long MeasuredDeliveries => Sum(static bot => bot.Checker.Counter.Measured);

    public long Delivered => Sum(static bot => bot.Checker.Counter.Delivered);

    public long Duplicated => Sum(static bot => bot.Checker.Counter.Duplicated);

    public long Reordered => Sum(static bot => bot.Checker.Counter.Reordered);

    public long Corrupted => Sum(static bot => bot.Checker.Counter.Corrupted);

    /// <summary>Deliveries of all that was sent, in all phases.</summary>
    public long ExpectedInAllPhases
    {
        get
        {
            long expected = 0;
            for (int i = 0; i < _bots.Length; i++)
            {
                expected += (long)_bots[i].Sent * Roster.MembersOf(Roster.RoomOf(i));
            }

            return expected;
        }
    }

    /// <summary>Connects and logs in all, makes the rooms, and then lets all others join.</summary>
    /// <param name="connector">Makes the connections.</param>
    /// <param name="server">Where to.</param>
    /// <param name="prefix">Of the names of players and rooms; the run's own.</param>
    /// <param name="connected">Called for each.</param>
    /// <param name="cancellationToken">Gives up.</param>
    public async Task ConnectAsync(
        PlayChatConnector connector, ServerAddress server, string prefix, Action connected, CancellationToken cancellationToken)
    {
        await ConnectionCrowd.ForEachAsync(
            _settings.Clients,
            async (index, token) =>
            {
                Connection connection = await ConnectionCrowd.ConnectAsync(connector, NodeOf(index) ?? server, _bots[index], token);
                string name = string.Create(CultureInfo.InvariantCulture, $"{prefix}-{index}");
                CheckRoomSize(await _bots[index].LoginAsync(connection, name, token));
                if (index < _settings.Rooms)
                {
                    await _bots[index].CreateRoomAsync(name, token);
                }

                connected();
            },
            cancellationToken);
        await ConnectionCrowd.ForEachAsync(
            _settings.Clients - _settings.Rooms,
            (offset, token) => _bots[_settings.Rooms + offset].JoinRoomAsync(token),
            cancellationToken);
    }

    /// <summary>Begins to send, and stops by itself at the end of the window.</summary>
    public void Start(RunClock clock, MeasureWindow window)
    {
        _log.Arrivals.Begin(_settings.MessagesPerSecond, (window.EndNanoseconds - clock.Nanoseconds) / 1e9);
        _load.Clock = clock;
        _load.Window = window;
        _pacer.Start(clock, window);
    }

    /// <summary>The latency of everything so far; the reader's own.</summary>
    public LatencyHistogram ReadLatency()
    {
        LatencyHistogram latency = Measured;
        latency.Add(_log.Unmeasured.Snapshot());
        return latency;
    }

    /// <summary>Counts for each receiver on its own, so that nothing too much here hides something missing there.</summary>
    public (long Expected, long Lost) CountLost()
    {
        long[] sentByRoom = new long[_settings.Rooms];
        for (int i = 0; i < _bots.Length; i++)
        {
            sentByRoom[Roster.RoomOf(i)] += _bots[i].MeasuredSent;
        }

        long expected = 0;
        long lost = 0;
        for (int i = 0; i < _bots.Length; i++)
        {
            long due = sentByRoom[Roster.RoomOf(i)];
            expected += due;
            lost += Math.Max(0, due - _bots[i].Checker.Counter.Measured);
        }

        return (expected, lost);
    }

    /// <summary>The object <c>fanout</c> of the report.</summary>
    public JsonObject WriteFanout(long expected) => _log.ToJson(expected, Receivers, SentBy, _settings.Silent);

    /// <summary>The first few deliveries that did not come.</summary>
    public IEnumerable<MissingDelivery> FindMissing() => FanoutLog.FindMissing(Receivers, SentBy);

    private DeliveryCounter[] Receivers => Array.ConvertAll(_bots, static bot => bot.Checker.Counter);

    private int SentBy(int client) => _bots[client].Sent;

    // Neighbours of a room are on different nodes, and so are the creators of the rooms.
    private ServerAddress? NodeOf(int client) => _settings.Nodes.Count == 0
        ? null
        : _settings.Nodes[(Roster.RoomOf(client) + Roster.PlaceOf(client)) % _settings.Nodes.Count];

    private void CheckRoomSize(ServerInfo? info)
    {
        int members = Roster.LargestRoom + (_settings.Silent == 0 ? 0 : ((_settings.Silent - 1) / _settings.Rooms) + 1);
        if (info is { MaxRoomMembers: > 0 } && info.MaxRoomMembers < members)
        {
            throw new UsageException(
                $"--clients {_settings.Clients} in --rooms {_settings.Rooms} makes {members} members per room, "
                + $"but the server allows {info.MaxRoomMembers} (its option PlayChat:Rooms:MaxMembers).");
        }
    }

    private long Sum(Func<ChatBot, long> figure)
    {
        long sum = 0;
        foreach (ChatBot bot in _bots)
        {
            sum += figure(bot);
        }

        return sum;
    }
}
