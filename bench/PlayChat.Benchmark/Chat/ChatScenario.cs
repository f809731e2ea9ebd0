using System.Diagnostics;
using System.Globalization;
using System.Text.Json.Nodes;
using PlayChat.Benchmark.Reports;
using PlayChat.Benchmark.Run;
using PlayChat.Benchmark.Servers;
using PlayChat.Core;
using PlayChat.Core.Connections;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.Protocol;

namespace PlayChat.Benchmark.Chat;

/// <summary>Players in rooms who talk at a fixed rate; every one checks every message it gets.</summary>
internal sealed class ChatScenario : IScenario
{
    private readonly ChatSettings _settings;
    private readonly FaultLog _faults = new();
    private readonly LatencyRecorder _measured = new();
    private readonly LatencyRecorder _unmeasured = new();
    private readonly ChatLoad _load;
    private readonly ChatBot[] _bots;
    private readonly Pacer _pacer;
    private readonly PlayChatConnector _connector;

    public ChatScenario(ChatSettings settings)
    {
        _settings = settings;
        _load = new ChatLoad(settings, _faults);
        _bots = Enumerable.Range(0, settings.Clients)
            .Select(index => new ChatBot(
                index, _load, new DeliveryChecker(_load.Roster, _load.Texts, _load.Roster.RoomOf(index), _measured, _unmeasured)))
            .ToArray();
        _pacer = new Pacer(
            new PacingPlan(settings.Clients, settings.MessagesPerSecond, settings.Seed), settings.Mix, settings.Seed, _bots);
        var options = new ConnectorOptions();
        options.Connections.MaxConnections = Math.Max(options.Connections.MaxConnections, settings.Clients);
        _connector = new PlayChatConnector(FrameFormat.Packet(ChatLimits.MaxServerFrameBytes), OnFrame, options, OnClosed);
    }

    public string Name => "chat";

    // The plan has no end of its own.
    public Task Finished { get; } = new TaskCompletionSource().Task;

    public IReadOnlyList<string> Faults => _faults.Texts;

    public async Task ConnectAsync(ServerAddress server, Action<int> connected, CancellationToken cancellationToken)
    {
        string run = Guid.NewGuid().ToString("N")[..8];
        int ready = 0;
        await ConnectionCrowd.ForEachAsync(
            _settings.Clients,
            async (index, token) =>
            {
                Connection connection = await ConnectionCrowd.ConnectAsync(_connector, server, _bots[index], token);
                string name = string.Create(CultureInfo.InvariantCulture, $"chat-{run}-{index}");
                CheckRoomSize(await _bots[index].LoginAsync(connection, name, token));
                if (index < _settings.Rooms)
                {
                    await _bots[index].CreateRoomAsync(string.Create(CultureInfo.InvariantCulture, $"room-{run}-{index}"), token);
                }

                connected(Interlocked.Increment(ref ready));
            },
            cancellationToken);
        await ConnectionCrowd.ForEachAsync(
            _settings.Clients - _settings.Rooms,
            (offset, token) => _bots[_settings.Rooms + offset].JoinRoomAsync(token),
            cancellationToken);
    }

    public void Start(RunClock clock, MeasureWindow window)
    {
        _load.Clock = clock;
        _load.Window = window;
        _pacer.Start(clock, window);
    }

    public async Task<bool> DrainAsync(TimeSpan timeout)
    {
        await _pacer.Stopped;
        long began = Stopwatch.GetTimestamp();
        while (Sum(static bot => bot.Checker.Delivered) < ExpectedInAllPhases())
        {
            if (Stopwatch.GetElapsedTime(began) >= timeout)
            {
                return false;
            }

            await Task.Delay(TimeSpan.FromMilliseconds(10));
        }

        return true;
    }

    public LiveFigures Read()
    {
        LatencyHistogram latency = _measured.Snapshot();
        latency.Add(_unmeasured.Snapshot());
        long faults = _faults.Count
            + Sum(static bot => bot.Checker.Duplicated) + Sum(static bot => bot.Checker.Reordered) + Sum(static bot => bot.Checker.Corrupted);
        return new LiveFigures(_pacer.Sent, Sum(static bot => bot.Checker.Delivered), faults, latency);
    }

    public void WriteSettings(JsonObject report)
    {
        report["clients"] = _settings.Clients;
        report["rooms"] = _settings.Rooms;
        report["rps"] = _settings.MessagesPerSecond;
        report["mix"] = _settings.Mix.Text;
        report["seed"] = _settings.Seed;
    }

    public bool WriteFigures(JsonObject report, RunOutcome outcome)
    {
        long messages = Sum(static bot => bot.MeasuredSent);
        long deliveries = Sum(static bot => bot.Checker.Measured);
        (long expected, long lost) = CountLost();
        long duplicated = Sum(static bot => bot.Checker.Duplicated);
        long reordered = Sum(static bot => bot.Checker.Reordered);
        long corrupted = Sum(static bot => bot.Checker.Corrupted);
        LatencySummary latency = _measured.Snapshot().Summarize();
        report["messages"] = messages;
        report["app_in_per_s"] = PerSecond(messages, outcome);
        report["deliveries"] = deliveries;
        report["deliveries_per_s"] = PerSecond(deliveries, outcome);
        report["expected_deliveries"] = expected;
        report["lost"] = lost;
        report["duplicated"] = duplicated;
        report["reordered"] = reordered;
        report["corrupted"] = corrupted;
        report["errors"] = _faults.Count;
        report["drain_timeout"] = !outcome.Drained;
        report["latency_us"] = JsonFigures.Latency(latency);
        report["latency_buckets"] = JsonFigures.Buckets(latency);
        report["send_lag_us"] = JsonFigures.Latency(_pacer.Lag.Summarize());
        report["deliveries_per_io"] = JsonFigures.Round(outcome.Server?.DeliveriesPerSend);
        return lost == 0 && duplicated == 0 && reordered == 0 && corrupted == 0 && _faults.Count == 0;
    }

    public async ValueTask DisposeAsync()
    {
        _faults.Close();
        await _connector.DisposeAsync();
    }

    private static void OnFrame(Connection connection, Frame frame) => ((ChatBot)connection.Tag!).OnFrame(connection, frame);

    private static void OnClosed(Connection connection, CloseReason reason) => ((ChatBot)connection.Tag!).OnClosed(reason);

    private static JsonNode? PerSecond(long count, RunOutcome outcome) =>
        JsonFigures.Round(outcome.Seconds > 0 ? count / outcome.Seconds : 0);

    private void CheckRoomSize(ServerInfo? info)
    {
        if (info is { MaxRoomMembers: > 0 } && info.MaxRoomMembers < _load.Roster.LargestRoom)
        {
            throw new UsageException(
                $"--clients {_settings.Clients} in --rooms {_settings.Rooms} makes {_load.Roster.LargestRoom} members a room, but the server allows {info.MaxRoomMembers} (its key Rooms:MaxMembers).");
        }
    }

    private long ExpectedInAllPhases()
    {
        long expected = 0;
        for (int i = 0; i < _bots.Length; i++)
        {
            expected += (long)_bots[i].Sent * _load.Roster.MembersOf(_load.Roster.RoomOf(i));
        }

        return expected;
    }

    /// <summary>Counts for each receiver on its own, so that nothing too much here hides something missing there.</summary>
    private (long Expected, long Lost) CountLost()
    {
        long[] sentByRoom = new long[_settings.Rooms];
        for (int i = 0; i < _bots.Length; i++)
        {
            sentByRoom[_load.Roster.RoomOf(i)] += _bots[i].MeasuredSent;
        }

        long expected = 0;
        long lost = 0;
        for (int i = 0; i < _bots.Length; i++)
        {
            long due = sentByRoom[_load.Roster.RoomOf(i)];
            expected += due;
            lost += Math.Max(0, due - _bots[i].Checker.Measured);
        }

        return (expected, lost);
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
