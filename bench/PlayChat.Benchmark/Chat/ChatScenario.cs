namespace PlayChat.Benchmark.Chat;

/// <summary>Players in rooms that talk at a fixed rate; each one checks every message that it receives.</summary>
/// <remarks>Optional: players that never read.</remarks>
internal sealed class ChatScenario : IScenario
{
    private readonly FanoutSettings _settings;
    private readonly FaultLog _faults = new();
    private readonly FanoutCrowd<ChatBot> _players;
    private readonly SilentPeer[] _silent;
    private readonly PlayChatConnector _connector;

    /// <param name="transport">Moves the bytes; the runtime's sockets without.</param>
    public ChatScenario(FanoutSettings settings, ITransport? transport = null)
    {
        _settings = settings;
        _players = CreatePlayers();
        _silent = Enumerable.Range(0, settings.Stalled).Select(static _ => new SilentPeer()).ToArray();
        var options = new ConnectorOptions();
        options.Connections.MaxConnections = Math.Max(options.Connections.MaxConnections, settings.Connections);
        _connector = new PlayChatConnector(FrameFormat.Packet(ChatLimits.MaxServerFrameBytes), OnFrame, options, OnClosed, transport);
    }

    public string Name => "chat";

    // The plan has no end of its own.
    public Task Finished { get; } = new TaskCompletionSource().Task;

    public IReadOnlyList<string> Faults => _players.Faults;

    public async Task ConnectAsync(ServerAddress server, Action<int> connected, CancellationToken cancellationToken)
    {
        string run = Guid.NewGuid().ToString("N")[..8];
        int ready = 0;
        void CountOne() => connected(Interlocked.Increment(ref ready));
        await ConnectPlayersAsync(server, $"chat-{run}", CountOne, cancellationToken);
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

    public void Start(RunClock clock, MeasureWindow window) => _players.Start(clock, window);

    public async Task<bool> DrainAsync(TimeSpan timeout)
    {
        await _players.Stopped;
        bool drained = await Drain.WaitAsync(() => _players.HasAll, timeout);
        await Drain.WaitForResetsAsync(() => Array.TrueForAll(_silent, static peer => peer.IsReset));
        return drained;
    }

    public LiveFigures Read() => _players.Read();

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

    private FanoutCrowd<ChatBot> CreatePlayers()
    {
        var roster = new ChatRoster(_settings.Clients, _settings.Rooms);
        VerifiedMessages?[] verified = Enumerable.Range(0, _settings.Rooms)
            .Select(room => roster.MembersOf(room) < VerifiedMessages.MinMembers ? null : new VerifiedMessages())
            .ToArray();
        return new FanoutCrowd<ChatBot>(_settings, _faults, (index, load) => new ChatBot(
            index, load, new DeliveryChecker(load.Roster, load.Texts, index, load.Log, verified[load.Roster.RoomOf(index)])));
    }

    // Connects and logs in all, makes the rooms, and then lets all others join.
    private async Task ConnectPlayersAsync(ServerAddress server, string prefix, Action connected, CancellationToken cancellationToken)
    {
        ChatBot[] bots = _players.Links;
        int rooms = _settings.Rooms;
        await ConnectionCrowd.ForEachAsync(
            bots.Length,
            async (index, token) =>
            {
                ChatBot bot = bots[index];
                Connection connection = await ConnectionCrowd.ConnectAsync(_connector, NodeOf(index) ?? server, bot, token);
                string name = string.Create(CultureInfo.InvariantCulture, $"{prefix}-{index}");
                CheckRoomSize(await bot.LoginAsync(connection, name, token));
                if (index < rooms)
                {
                    await bot.CreateRoomAsync(name, token);
                }

                connected();
            },
            cancellationToken);
        await ConnectionCrowd.ForEachAsync(
            bots.Length - rooms, (offset, token) => bots[rooms + offset].JoinRoomAsync(token), cancellationToken);
    }

    // Neighbours of a room are on different nodes, and so are the creators of the rooms.
    private ServerAddress? NodeOf(int client) => _settings.Nodes.Count == 0
        ? null
        : _settings.Nodes[(_players.Load.Roster.RoomOf(client) + _players.Load.Roster.PlaceOf(client)) % _settings.Nodes.Count];

    private void CheckRoomSize(ServerInfo? info)
    {
        int members = _settings.LargestRoom + ((_settings.Stalled + _settings.Rooms - 1) / _settings.Rooms);
        if (info is { MaxRoomMembers: > 0 } && info.MaxRoomMembers < members)
        {
            throw new UsageException(
                $"--clients {_settings.Clients} in --rooms {_settings.Rooms} makes {members} members per room, "
                + $"but the server allows {info.MaxRoomMembers} (its option PlayChat:Rooms:MaxMembers).");
        }
    }
}
