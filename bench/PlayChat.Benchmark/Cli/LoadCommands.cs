using System.CommandLine;

namespace PlayChat.Benchmark.Cli;

internal static class LoadCommands
{
    private const int MaxClients = 1_000_000;
    private const double MaxRate = 10_000;
    private const double NoLimit = double.PositiveInfinity;
    private const string Stalled = "Extra connections in the same rooms that send nothing and never read.";

    public static IEnumerable<Command> Create(Func<LoadRun, CancellationToken, Task<int>> run)
    {
        return
        [
            Load("echo", Echo, 2, 10, ReadEcho, "Requests and answers, with a window on each connection or at a fixed rate."),
            Load("chat", Chat, 5, 30, ReadChat, "Players in rooms that talk at a fixed rate. Every delivery is checked and timed."),
            Load("broadcast", Broadcast, 5, 30, ReadBroadcast, "Fan-out without the chat protocol: length(2) + sender(2) + payload."),
            Load("classroom", Classroom, 5, 30, ReadClassroom, "Every message to every connection. An observer measures its round trip."),
            Load("capacity", Capacity, 2, 5, ReadCapacity, "Searches the most deliveries per second that chat holds, step by step."),
            Load("ramp", Ramp, 0, 10, ReadRamp, "Adds connections step by step that send little, then holds all for --duration."),
        ];

        Command Load(
            string name, OptionTable options, double warmup, double duration, Func<OptionValues, LoadTarget, LoadRun> read, string text) =>
            LoadTarget.AddTo(options, warmup, duration)
                .Create(name, text, (values, token) => run(read(values, LoadTarget.Read(values)), token));
    }

    private static OptionTable Echo => new OptionTable()
        .Int("--ccu", 1000, 1, MaxClients, "Connections.")
        .Int("--inflight", 200, 1, 1_000_000, "Requests outstanding on each connection; with --rate, the most there may be.")
        .Int("--size", 64, 1, NoLimit, "Payload of a request.")
        .Text(
            "--framing",
            "length4",
            "FRAMING",
            "packet (C_ECHO_REQ of the chat protocol, with request ids), request (the same, each answer awaited by RequestAsync) "
            + "or length4 (4-byte length and payload).")
        .Number("--messages", null, 1, NoLimit, "End after this many requests on each connection.")
        .Number("--rate", null, double.Epsilon, 10_000_000, "Open loop: requests per second, by a plan that does not wait for the server.")
        .Time("--max-lag", "50ms", "With --rate: the run is invalid when the load's own p99 from planned to real sending is over this.")
        .Int("--sample", 1, 1, NoLimit, "Time one round trip in this many. All answers are verified and counted.")
        .Int("--connect-concurrency", ConnectionCrowd.AtOnce, 1, MaxClients, "Connections being made at one time.")
        .Number("--max-incomplete-ratio", 0, 0, 1, "The run is good up to this share of requests without an answer.")
        .Number("--max-warmup", 0, 0, 3600, "If more than --warmup: warms up until the rate stops rising, at most this many seconds.");

    private static OptionTable Chat => AddFanout(AddCrowd(new OptionTable()))
        .Text("--nodes", null, "HOST:PORT,HOST:PORT", "Use these running nodes; the members of each room are spread over them.")
        .Number("--cluster", null, 0, ClusterSettings.MaxNodes, "Start this many nodes and a PostgreSQL; 0: a server without cluster.")
        .Text("--engine", null, "NAME", "With --cluster: what carries the messages of the nodes, Postgres or RabbitMq (Postgres).");

    // The server assigns connections to the rooms in the order of acceptance.
    private static OptionTable Broadcast => AddFanout(AddCrowd(new OptionTable(), FanoutSettings.MaxSenders));

    private static OptionTable Classroom => AddFanout(new OptionTable())
        .Int("--processes", 4, 1, FanoutSettings.MaxSenders, "Groups of connections. One process makes the connections of all groups.")
        .Int("--connections", 50, 1, FanoutSettings.MaxSenders, "Connections of each group.")
        .Int("--size", 104, MinFrame, MaxFrame, "Bytes of a whole message: length, sender and payload.")
        .Number("--rps", 1, double.Epsilon, MaxRate, "Messages per second of each connection.")
        .Number("--observer-rps", 10, 0, MaxRate, "Messages per second of one connection that times its round trip; 0 leaves it out.")
        .Int("--workers", 0, 0, 1024, "Worker threads of the PlayChat server that is started; 0 lets the server decide.")
        .Int("--connect-at-once", ConnectionCrowd.AtOnce, 1, NoLimit, "Connections made at one instant.")
        .Int("--stalled-readers", 0, 0, 100_000, Stalled);

    private static OptionTable Capacity => AddFanout(AddCrowd(new OptionTable()))
        .Time("--p99-limit", "50ms", "A rate holds when the p99 is at most this, nothing is lost, and the load itself is not late.")
        .Number("--precision", 0.1, 0.01, 1, "The search ends when a rate that failed is this close above one that held; 0.1 is a tenth.")
        .Int("--max-steps", 30, 1, 1000, "The search ends after this many steps.");

    private static OptionTable Ramp => new OptionTable()
        .Int("--connections", 3000, 1, MaxClients, "Connections at the end.")
        .Int("--ramp", 40, 1, NoLimit, "Connections added per step.")
        .Time("--ramp-interval", "10s", "Time between two steps, before --time-scale.")
        .Number("--time-scale", 1, double.Epsilon, 100_000, "Makes the ramp this many times as fast. Connections send as often as before.")
        .Int("--size", 50, 1, 65_536, "Payload of a message.")
        .Time("--every", "10s", "Time between two messages of a connection.");

    private const int MinFrame = FanoutSettings.HeaderBytes + ChatText.MinBytes;
    private const int MaxFrame = FanoutSettings.HeaderBytes + ChatLimits.MaxTextBytes;

    private static OptionTable AddCrowd(OptionTable options, int maxClients = MaxClients) => options
        .Int("--clients", 500, 1, maxClients, "Clients that send.")
        .Int("--rooms", 10, 1, NoLimit, "Rooms that the clients are spread over.")
        .Number("--rps", 10, double.Epsilon, MaxRate, "Messages per second of each client; may be less than one.")
        .Text("--mix", PayloadMix.Default, "MIX", "Sizes of the texts: BYTES:WEIGHT or MIN-MAX:WEIGHT, separated by commas.")
        .Int("--seed", 1, int.MinValue, int.MaxValue, "Seed of phases, sizes and texts. The same seed makes the same load.")
        .Int("--stalled-readers", 0, 0, MaxClients, Stalled);

    private static OptionTable AddFanout(OptionTable options) => options
        .Time("--late", "50ms", "A delivery is late when it arrives later than this after its planned time.")
        .Time("--max-lag", "50ms", "The run is invalid (exit code 1) when the load's own p99 from planned to real sending is over this.");

    private static FanoutSettings ReadCrowd(OptionValues values)
    {
        var settings = new FanoutSettings(
            values.Int("--clients"),
            values.Int("--rooms"),
            values.Number("--rps"),
            PayloadMix.Parse(values.Text("--mix")),
            values.Int("--seed"))
        {
            Stalled = values.Int("--stalled-readers"),
            Late = values.Time("--late"),
            MaxLag = values.Time("--max-lag"),
        };
        OptionTable.Require(
            settings.Rooms <= settings.Clients, "--rooms", settings.Rooms, $"1 to the number of clients, {settings.Clients}");
        return settings;
    }

    private static FanoutSettings ReadPlayers(OptionValues values)
    {
        FanoutSettings settings = ReadCrowd(values);
        OptionTable.Require(
            settings.LargestRoom <= ChatLimits.MaxRoomMembers,
            "--rooms",
            settings.Rooms,
            $"at least {((settings.Clients - 1) / ChatLimits.MaxRoomMembers) + 1} for so many clients: "
            + $"a room has at most {ChatLimits.MaxRoomMembers} members");
        return settings;
    }

    private static ServerSettings ChatServer(FanoutSettings settings, LoadTarget target)
    {
        int stalled = (settings.Stalled + settings.Rooms - 1) / settings.Rooms;
        int members = Math.Max(100, settings.LargestRoom + stalled);
        return Server("chat", target, ("PlayChat:Rooms:MaxMembers", members));
    }

    private static ServerSettings Server(string mode, LoadTarget target, params (string Key, int Value)[] keys) => target.Server with
    {
        Mode = mode,
        Keys = [.. keys.Select(static pair => (pair.Key, pair.Value.ToString(CultureInfo.InvariantCulture))), .. target.Server.Keys],
    };

    private static LoadRun ReadEcho(OptionValues values, LoadTarget target)
    {
        EchoFraming framing = values.Text("--framing") switch
        {
            "packet" => EchoFraming.Packet,
            "request" => EchoFraming.Request,
            "length4" => EchoFraming.Length4,
            var other => throw new UsageException($"--framing is '{other}'; allowed is packet, request or length4."),
        };
        var settings = new EchoSettings(
            values.Int("--ccu"), values.Int("--inflight"), values.Int("--size"), framing, (long?)values.OptionalNumber("--messages"))
        {
            Rate = values.OptionalNumber("--rate"),
            MaxLag = values.Time("--max-lag"),
            SampleEvery = values.Int("--sample"),
            ConnectAtOnce = values.Int("--connect-concurrency"),
            MaxIncompleteRatio = values.Number("--max-incomplete-ratio"),
        };
        bool isChat = framing is EchoFraming.Packet or EchoFraming.Request;
        bool isOpen = settings.Rate is not null;
        double maxWarmup = values.Number("--max-warmup");
        // Request ids, but for the login's.
        OptionTable.Require(!isChat || settings.Inflight < ushort.MaxValue, "--inflight", settings.Inflight, "1 to 65534");
        LoadClient? client = LoadClients.Of(target.Server.Baseline);
        UsageException.Unless(
            (!isOpen || maxWarmup == 0, "--max-warmup needs a load without --rate: a planned rate does not rise."),
            (!isOpen || framing != EchoFraming.Request, "--rate needs --framing packet or length4: awaited requests are a closed loop."),
            (!isOpen || (settings.MessagesPerConnection is null && settings.SampleEvery == 1),
                "--rate goes with neither --messages nor --sample: its plan has a fixed end, and every answer is timed."),
            (framing == EchoFraming.Request || client?.ConnectEcho is null,
                $"The baseline {target.Server.Baseline} has a protocol of its own: use --framing request."));
        _ = new EchoCodec(settings); // knows the framing's limit
        return new LoadRun(
            target with { Plan = target.Plan with { MaxWarmup = TimeSpan.FromSeconds(maxWarmup) } },
            settings.Ccu,
            Server(isChat ? "chat" : "echo", target),
            _ => new EchoScenario(settings, target.Transport, client?.ConnectEcho))
        {
            ConnectAtOnce = settings.ConnectAtOnce,
        };
    }

    private static LoadRun ReadChat(OptionValues values, LoadTarget target)
    {
        string? nodes = values.OptionalText("--nodes");
        string? engine = values.OptionalText("--engine");
        var cluster = (int?)values.OptionalNumber("--cluster");
        UsageException.Unless(
            (engine is null || cluster is not null, "--engine is for nodes that the benchmark starts: use it with --cluster N."),
            (nodes is null || target is { Address: null, Server: { Baseline: null, Cores: null, Keys.Count: 0 } },
                "--nodes uses running servers, so it goes with none of --connect, --baseline, --server and --server-cores."),
            (cluster is null || (nodes is null && target is { Address: null, Server.Baseline: null }),
                "--cluster starts servers on free ports, so it goes with none of --connect, --nodes and --baseline."));
        FanoutSettings settings = ReadPlayers(values) with
        {
            Nodes = nodes is null ? [] : [.. nodes.Split(',').Select(static node => ServerAddress.Parse(node, "--nodes"))],
        };
        return new LoadRun(
            settings.Nodes.Count > 0 ? target with { Address = settings.Nodes[0] } : target,
            settings.Connections,
            ChatServer(settings, target),
            started => new ChatScenario(started.Count == 0 ? settings : settings with { Nodes = started }, target.Transport))
        {
            Cluster = cluster is not { } count
                ? null
                : new ClusterSettings(count, ClusterSettings.ParseEngine(engine ?? nameof(ClusterEngine.Postgres))),
        };
    }

    private static LoadRun ReadBroadcast(OptionValues values, LoadTarget target)
    {
        FanoutSettings settings = ReadCrowd(values);
        return new LoadRun(
            target,
            settings.Connections,
            Server("broadcast", target, (ServerProcess.RoomsKey, settings.Rooms)),
            _ => CreateFanout("broadcast", settings, target));
    }

    private static LoadRun ReadClassroom(OptionValues values, LoadTarget target)
    {
        int processes = values.Int("--processes");
        int connections = values.Int("--connections");
        int workers = values.Int("--workers");
        OptionTable.Require(
            (long)processes * connections <= FanoutSettings.MaxSenders - 1,
            "--connections",
            connections,
            $"1 to {FanoutSettings.MaxSenders - 1} in all groups: a sender is two bytes");
        UsageException.Unless(
            workers == 0 || target is { Address: null, Server.Baseline: null },
            "--workers is for a PlayChat server that the benchmark starts, so it goes with neither --connect nor --baseline.");
        string mix = $"{values.Int("--size") - FanoutSettings.HeaderBytes}:1";
        var settings = new FanoutSettings(processes * connections, Rooms: 1, values.Number("--rps"), PayloadMix.Parse(mix), Seed: 1)
        {
            ObserverMessagesPerSecond = values.Number("--observer-rps"),
            Stalled = values.Int("--stalled-readers"),
            ConnectAtOnce = values.Int("--connect-at-once"),
            Late = values.Time("--late"),
            MaxLag = values.Time("--max-lag"),
        };
        return new LoadRun(
            target,
            settings.Connections,
            workers == 0 ? Server("classroom", target) : Server("classroom", target, ("Workers", workers)),
            _ => CreateFanout("classroom", settings, target));
    }

    private static ClassroomScenario CreateFanout(string name, FanoutSettings settings, LoadTarget target)
    {
        if (LoadClients.Of(target.Server.Baseline)?.CreateLink is { } create)
        {
            return new ClassroomScenario(name, settings, create);
        }

        PlayChatConnector connector = FrameLink.CreateConnector(settings.Connections, target.Transport);
        return new ClassroomScenario(name, settings, (index, load) => new FrameLink(index, load, connector), connector);
    }

    private static LoadRun ReadCapacity(OptionValues values, LoadTarget target)
    {
        // A step connects and drains as well.
        TimeSpan besides = TimeSpan.FromSeconds(5);
        FanoutSettings chat = ReadPlayers(values);
        int maxSteps = values.Int("--max-steps");
        var settings = new CapacitySettings(chat, target.Plan, values.Time("--p99-limit"), values.Number("--precision"), maxSteps);
        TimeSpan longest = maxSteps * (target.Plan.Warmup + target.Plan.Duration + besides);
        return new LoadRun(
            target with { Plan = target.Plan with { Warmup = TimeSpan.Zero, Duration = longest } },
            chat.Connections,
            ChatServer(chat, target),
            _ => new CapacityScenario(settings, target.Transport));
    }

    private static LoadRun ReadRamp(OptionValues values, LoadTarget target)
    {
        var settings = new RampSettings(
            values.Int("--connections"),
            values.Int("--ramp"),
            values.Time("--ramp-interval") / values.Number("--time-scale"),
            values.Int("--size"),
            values.Time("--every"));
        return new LoadRun(
            target with { Plan = target.Plan with { Duration = settings.Length + target.Plan.Duration } },
            settings.Connections,
            Server("echo", target),
            _ => new RampScenario(settings, target.Transport));
    }
}
