namespace PlayChat.Benchmark.Chat;

/// <summary>Players in rooms that talk at a fixed rate; each one checks every message that it receives.</summary>
/// <remarks>Optional: a flooded room, and players that never read.</remarks>
internal sealed class ChatScenario : IScenario
{
    private const int MaxNamed = 5;

    private readonly FanoutSettings _settings;
    private readonly FaultLog _faults = new();
    private readonly FanoutCrowd<ChatBot> _players;
    private readonly FanoutCrowd<ChatBot>? _flood;
    private readonly FanoutCrowd<ChatBot>[] _crowds;
    private readonly SilentPeer[] _silent;
    private readonly PlayChatConnector _connector;

    /// <param name="transport">Moves the bytes; the runtime's sockets without.</param>
    public ChatScenario(FanoutSettings settings, ITransport? transport = null)
    {
        _settings = settings;
        _players = Create(settings);
        _flood = settings.Flood == 0 ? null : Create(
            new FanoutSettings(settings.Flood, 1, settings.FloodMessagesPerSecond, settings.Mix, settings.Seed));
        _crowds = _flood is null ? [_players] : [_players, _flood];
        _silent = Enumerable.Range(0, settings.Stalled).Select(static _ => new SilentPeer()).ToArray();
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
        await ConnectAsync(_players, server, $"chat-{run}", CountOne, cancellationToken);
        if (_flood is not null)
        {
            await ConnectAsync(_flood, server, $"flood-{run}", CountOne, cancellationToken);
        }

        await ConnectionCrowd.ForEachAsync(
            _silent.Length,
            async (index, token) =>
            {
                string name = string.Create(CultureInfo.InvariantCulture, $"silent-{run}-{index}");
                await _silent[index].JoinAsync(server, name, _players.Load.Roster.GetRoomId(index % _settings.Rooms), token);
                CountOne();
            },
            cancellationToken);
    }

    public void Start(RunClock clock, MeasureWindow window) => Array.ForEach(_crowds, crowd => crowd.Start(clock, window));

    public async Task<bool> DrainAsync(TimeSpan timeout)
    {
        await Task.WhenAll(_crowds.Select(static crowd => crowd.Stopped));
        bool drained = await Drain.WaitAsync(() => Array.TrueForAll(_crowds, static crowd => crowd.HasAll), timeout);
        await Drain.WaitForResetsAsync(() => Array.TrueForAll(_silent, static peer => peer.IsReset));
        return drained;
    }

    // The latency is that of the players alone.
    public LiveFigures Read()
    {
        LiveFigures players = _players.Read();
        LiveFigures flood = _flood?.Read() ?? new LiveFigures(0, 0, 0, players.Latency);
        return new LiveFigures(
            players.Sent + flood.Sent, players.Received + flood.Received, _faults.Count + players.Faults + flood.Faults, players.Latency);
    }

    public void WriteSettings(JsonObject report)
    {
        _settings.Write(report);
        if (_settings.Nodes.Count > 0)
        {
            report["nodes"] = _settings.Nodes.Count;
        }
    }

    public bool WriteFigures(JsonObject report, RunOutcome outcome)
    {
        bool good = _players.WriteFigures(report, outcome);
        report["silent"] = _silent.Length == 0 ? null : new JsonObject
        {
            ["clients"] = _silent.Length,
            ["reset"] = _silent.Count(static peer => peer.IsReset),
            ["closed_as_slow_consumer"] = outcome.Server?.Last.GetCloses(CloseReason.SlowConsumer),
        };
        JsonObject? flood = null;
        if (_flood is not null)
        {
            flood = new JsonObject { ["clients"] = _settings.Flood, ["rps"] = _settings.FloodMessagesPerSecond };
            good &= _flood.WriteCounts(flood, outcome) && !_flood.FindMissing().Any();
            flood["latency_us"] = JsonFigures.Latency(_flood.Measured.Summarize());
        }

        report["flood"] = flood;
        return good;
    }

    public async ValueTask DisposeAsync()
    {
        _faults.Close();
        await _connector.DisposeAsync();
        Array.ForEach(_silent, static peer => peer.Dispose());
    }

    private static void OnFrame(Connection connection, Frame frame) => connection.Get<ChatBot>()!.OnFrame(connection, frame);

    private static void OnClosed(Connection connection, CloseReason reason) => connection.Get<ChatBot>()!.OnClosed(reason);

    private FanoutCrowd<ChatBot> Create(FanoutSettings settings)
    {
        var roster = new ChatRoster(settings.Clients, settings.Rooms);
        VerifiedMessages?[] verified = Enumerable.Range(0, settings.Rooms)
            .Select(room => roster.MembersOf(room) < VerifiedMessages.MinMembers ? null : new VerifiedMessages())
            .ToArray();
        return new FanoutCrowd<ChatBot>(settings, _faults, (index, load) => new ChatBot(
            index, load, new DeliveryChecker(load.Roster, load.Texts, index, load.Log, verified[load.Roster.RoomOf(index)])));
    }

    // Connects and logs in all, makes the rooms, and then lets all others join.
    private async Task ConnectAsync(
        FanoutCrowd<ChatBot> crowd, ServerAddress server, string prefix, Action connected, CancellationToken cancellationToken)
    {
        int rooms = crowd.Load.Roster.Rooms;
        await ConnectionCrowd.ForEachAsync(
            crowd.Links.Length,
            async (index, token) =>
            {
                ChatBot bot = crowd.Links[index];
                Connection connection = await ConnectionCrowd.ConnectAsync(_connector, NodeOf(crowd, index) ?? server, bot, token);
                string name = string.Create(CultureInfo.InvariantCulture, $"{prefix}-{index}");
                CheckRoomSize(crowd, await bot.LoginAsync(connection, name, token));
                if (index < rooms)
                {
                    await bot.CreateRoomAsync(name, token);
                }

                connected();
            },
            cancellationToken);
        await ConnectionCrowd.ForEachAsync(
            crowd.Links.Length - rooms, (offset, token) => crowd.Links[rooms + offset].JoinRoomAsync(token), cancellationToken);
    }

    // Neighbours of a room are on different nodes, and so are the creators of the rooms.
    private ServerAddress? NodeOf(FanoutCrowd<ChatBot> crowd, int client) => _settings.Nodes.Count == 0
        ? null
        : _settings.Nodes[(crowd.Load.Roster.RoomOf(client) + crowd.Load.Roster.PlaceOf(client)) % _settings.Nodes.Count];

    private void CheckRoomSize(FanoutCrowd<ChatBot> crowd, ServerInfo? info)
    {
        int stalled = crowd == _players && _settings.Stalled > 0 ? ((_settings.Stalled - 1) / _settings.Rooms) + 1 : 0;
        int members = crowd.Load.Roster.LargestRoom + stalled;
        if (info is { MaxRoomMembers: > 0 } && info.MaxRoomMembers < members)
        {
            throw new UsageException(
                $"--clients {crowd.Links.Length} in --rooms {crowd.Load.Roster.Rooms} makes {members} members per room, "
                + $"but the server allows {info.MaxRoomMembers} (its option PlayChat:Rooms:MaxMembers).");
        }
    }
}
