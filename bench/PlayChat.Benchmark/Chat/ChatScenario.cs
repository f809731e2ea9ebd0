using System.Globalization;
using System.Text.Json.Nodes;
using PlayChat.Benchmark.Fanout;
using PlayChat.Benchmark.Figures;
using PlayChat.Benchmark.Pacing;
using PlayChat.Benchmark.Run;
using PlayChat.Benchmark.Servers;
using PlayChat.Core;
using PlayChat.Core.Connections;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.Core.Transport;
using PlayChat.Kpi;
using PlayChat.Protocol;

namespace PlayChat.Benchmark.Chat;

/// <summary>Players in rooms that talk at a fixed rate; each one checks every message that it receives.</summary>
/// <remarks>Optional: a flooded room, and players that never read.</remarks>
internal sealed class ChatScenario : IScenario
{
    private const int MaxNamed = 5;

    private readonly ChatSettings _settings;
    private readonly FaultLog _faults = new();
    private readonly ChatCrowd _players;
    private readonly ChatCrowd? _flood;
    private readonly ChatCrowd[] _crowds;
    private readonly SilentPeer[] _silent;
    private readonly PlayChatConnector _connector;

    /// <param name="settings">What the load is.</param>
    /// <param name="transport">Moves the bytes; the runtime's sockets without.</param>
    public ChatScenario(ChatSettings settings, ITransport? transport = null)
    {
        _settings = settings;
        _players = new ChatCrowd(settings, _faults);
        _flood = settings.Flood == 0
            ? null
            : new ChatCrowd(
                new ChatSettings(settings.Flood, 1, settings.FloodMessagesPerSecond, settings.Mix, settings.Seed)
                {
                    Nodes = settings.Nodes,
                },
                _faults);
        _crowds = _flood is null ? [_players] : [_players, _flood];
        _silent = Enumerable.Range(0, settings.Silent).Select(static _ => new SilentPeer()).ToArray();
        var options = new ConnectorOptions();
        options.Connections.MaxConnections = Math.Max(options.Connections.MaxConnections, settings.Connections);
        _connector = new PlayChatConnector(FrameFormat.Packet(ChatLimits.MaxServerFrameBytes), OnFrame, options, OnClosed, transport);
    }

    public string Name => "chat";

    // The plan has no end of its own.
    public Task Finished { get; } = new TaskCompletionSource().Task;

    public IReadOnlyList<string> Faults =>
    [
        .. _faults.Texts,
        .. _crowds.SelectMany(static crowd => crowd.FindMissing()).Take(MaxNamed).Select(static missing => missing.ToString()),
    ];

    public async Task ConnectAsync(ServerAddress server, Action<int> connected, CancellationToken cancellationToken)
    {
        string run = Guid.NewGuid().ToString("N")[..8];
        int ready = 0;
        void CountOne() => connected(Interlocked.Increment(ref ready));
        await _players.ConnectAsync(_connector, server, $"chat-{run}", CountOne, cancellationToken);
        await (_flood?.ConnectAsync(_connector, server, $"flood-{run}", CountOne, cancellationToken) ?? Task.CompletedTask);
        await ConnectionCrowd.ForEachAsync(
            _silent.Length,
            async (index, token) =>
            {
                string name = string.Create(CultureInfo.InvariantCulture, $"silent-{run}-{index}");
                await _silent[index].JoinAsync(server, name, _players.Roster.GetRoomId(index % _settings.Rooms), token);
                CountOne();
            },
            cancellationToken);
    }

    public void Start(RunClock clock, MeasureWindow window)
    {
        foreach (ChatCrowd crowd in _crowds)
        {
            crowd.Start(clock, window);
        }
    }

    public async Task<bool> DrainAsync(TimeSpan timeout)
    {
        await Task.WhenAll(_crowds.Select(static crowd => crowd.Stopped));
        bool drained = await Drain.WaitAsync(
            () => Array.TrueForAll(_crowds, static crowd => crowd.Delivered >= crowd.ExpectedInAllPhases), timeout);
        await Drain.WaitForResetsAsync(() => Array.TrueForAll(_silent, static peer => peer.IsReset));
        return drained;
    }

    public LiveFigures Read()
    {
        long faults = _faults.Count + _crowds.Sum(static crowd => crowd.Duplicated + crowd.Reordered + crowd.Corrupted);
        return new LiveFigures(
            _crowds.Sum(static crowd => crowd.Sent), _crowds.Sum(static crowd => crowd.Delivered), faults, _players.ReadLatency());
    }

    public void WriteSettings(JsonObject report)
    {
        report["clients"] = _settings.Clients;
        report["rooms"] = _settings.Rooms;
        report["rps"] = _settings.MessagesPerSecond;
        report["mix"] = _settings.Mix.Text;
        report["seed"] = _settings.Seed;
        if (_settings.Nodes.Count > 0)
        {
            report["nodes"] = _settings.Nodes.Count;
        }
    }

    public bool WriteFigures(JsonObject report, RunOutcome outcome)
    {
        bool good = WriteCrowd(report, _players, outcome);
        report["errors"] = _faults.Count;
        report["drain_timeout"] = !outcome.Drained;
        LatencySummary latency = _players.Measured.Summarize();
        report["latency_us"] = JsonFigures.Latency(latency);
        report["latency_buckets"] = JsonFigures.Buckets(latency);
        GeneratorLag.Write(report, _players.Lag.Summarize(), _settings.MaxLag);
        report["fanout"] = _players.WriteFanout((long)report["expected_deliveries"]!);
        report["deliveries_per_io"] = JsonFigures.Round(outcome.Server?.DeliveriesPerSend);
        report["silent"] = _silent.Length == 0 ? null : WriteSilent(outcome);
        JsonObject? flood = null;
        if (_flood is not null)
        {
            flood = new JsonObject { ["clients"] = _settings.Flood, ["rps"] = _settings.FloodMessagesPerSecond };
            good &= WriteCrowd(flood, _flood, outcome);
            flood["latency_us"] = JsonFigures.Latency(_flood.Measured.Summarize());
        }

        report["flood"] = flood;
        // What was lost in the warm-up is lost as well.
        good &= (outcome.Drained || outcome.Interrupted) && !_crowds.Any(static crowd => crowd.FindMissing().Any());
        return good && _faults.Count == 0 && (bool)report["valid"]!;
    }

    public async ValueTask DisposeAsync()
    {
        _faults.Close();
        await _connector.DisposeAsync();
        Array.ForEach(_silent, static peer => peer.Dispose());
    }

    private static void OnFrame(Connection connection, Frame frame) => connection.Get<ChatBot>()!.OnFrame(connection, frame);

    private static void OnClosed(Connection connection, CloseReason reason) => connection.Get<ChatBot>()!.OnClosed(reason);

    private static bool WriteCrowd(JsonObject report, ChatCrowd crowd, RunOutcome outcome)
    {
        (long expected, long lost) = crowd.CountLost();
        var figures = new CrowdFigures(
            crowd.MeasuredSent, crowd.MeasuredDeliveries, expected, lost, crowd.Duplicated, crowd.Reordered, crowd.Corrupted);
        figures.Write(report, outcome);
        return figures.IsGood;
    }

    private JsonObject WriteSilent(RunOutcome outcome) => new()
    {
        ["clients"] = _silent.Length,
        ["reset"] = _silent.Count(static peer => peer.IsReset),
        ["closed_as_slow_consumer"] = outcome.Server?.Last.GetCloses(CloseReason.SlowConsumer),
    };
}
