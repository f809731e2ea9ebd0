namespace PlayChat.Benchmark.Chat;

/// <summary>Players in rooms that talk at a fixed rate; each one checks every message that it receives.</summary>
internal sealed class ChatScenario : FanoutScenario<ChatBot>
{
    private readonly PlayChatConnector _connector;

    /// <param name="transport">Moves the bytes; the runtime's sockets without.</param>
    public ChatScenario(FanoutSettings settings, ITransport? transport = null)
        : base("chat", settings, Bots(settings))
    {
        _connector = new PlayChatConnector(
            FrameFormat.Packet(ChatLimits.MaxServerFrameBytes),
            static (connection, frame) => connection.Get<ChatBot>()!.OnFrame(connection, frame),
            ConnectionCrowd.CreateOptions(settings.Connections),
            static (connection, reason) => connection.Get<ChatBot>()!.OnClosed(reason),
            transport);
    }

    // Connects and logs in all, makes the rooms, and then lets all others join.
    public override async Task ConnectAsync(ServerAddress server, Action<int> connected, CancellationToken cancellationToken)
    {
        string run = Guid.NewGuid().ToString("N")[..8];
        int ready = 0;
        int rooms = Settings.Rooms;
        await ConnectionCrowd.ForEachAsync(
            Links.Length,
            async (index, token) =>
            {
                ChatBot bot = Links[index];
                Connection connection = await ConnectionCrowd.ConnectAsync(_connector, NodeOf(index) ?? server, bot, token);
                string name = string.Create(CultureInfo.InvariantCulture, $"chat-{run}-{index}");
                CheckRoomSize(await bot.LoginAsync(connection, name, token));
                if (index < rooms)
                {
                    await bot.CreateRoomAsync(name, token);
                }

                connected(Interlocked.Increment(ref ready));
            },
            cancellationToken);
        await ConnectionCrowd.ForEachAsync(
            Links.Length - rooms, (offset, token) => Links[rooms + offset].JoinRoomAsync(token), cancellationToken);
        await ConnectionCrowd.ForEachAsync(
            Stalled.Length,
            async (index, token) =>
            {
                string name = string.Create(CultureInfo.InvariantCulture, $"silent-{run}-{index}");
                await SilentPeer.JoinAsync(Stalled[index], server, name, Load.Roster.GetRoomId(index % rooms), token);
                connected(Interlocked.Increment(ref ready));
            },
            cancellationToken);
    }

    public override void WriteSettings(JsonObject report)
    {
        base.WriteSettings(report);
        if (Settings.Nodes.Count > 0)
        {
            report["nodes"] = Settings.Nodes.Count;
        }
    }

    public override bool WriteFigures(JsonObject report, RunOutcome outcome)
    {
        bool good = base.WriteFigures(report, outcome);
        JsonObject? silent = StalledFigures();
        if (silent is not null)
        {
            silent["closed_as_slow_consumer"] = outcome.Server?.Last.GetCloses(CloseReason.SlowConsumer);
        }

        report["silent"] = silent;
        return good;
    }

    protected override ValueTask DisposeConnectionsAsync() => _connector.DisposeAsync();

    private static Func<int, FanoutLoad, ChatBot> Bots(FanoutSettings settings)
    {
        var roster = new ChatRoster(settings.Clients, settings.Rooms);
        VerifiedMessages?[] verified = Enumerable.Range(0, settings.Rooms)
            .Select(room => roster.MembersOf(room) < VerifiedMessages.MinMembers ? null : new VerifiedMessages())
            .ToArray();
        return (index, load) => new ChatBot(
            index, load, new DeliveryChecker(load.Roster, load.Texts, index, load.Log, verified[load.Roster.RoomOf(index)]));
    }

    // Neighbours of a room are on different nodes, and so are the creators of the rooms.
    private ServerAddress? NodeOf(int client) => Settings.Nodes.Count == 0
        ? null
        : Settings.Nodes[(Load.Roster.RoomOf(client) + Load.Roster.PlaceOf(client)) % Settings.Nodes.Count];

    private void CheckRoomSize(ServerInfo? info)
    {
        int members = Settings.LargestRoom + ((Settings.Stalled + Settings.Rooms - 1) / Settings.Rooms);
        if (info is { MaxRoomMembers: > 0 } && info.MaxRoomMembers < members)
        {
            throw new UsageException(
                $"--clients {Settings.Clients} in --rooms {Settings.Rooms} makes {members} members per room, "
                + $"but the server allows {info.MaxRoomMembers} (its option PlayChat:Rooms:MaxMembers).");
        }
    }
}
