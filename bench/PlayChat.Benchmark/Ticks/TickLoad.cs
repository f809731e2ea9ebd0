namespace PlayChat.Benchmark.Ticks;

/// <summary>A server in this process with rooms that tick, and their members, which read once per second.</summary>
internal sealed class TickLoad(TickSettings settings) : IAsyncDisposable
{
    // So much is under way to a room that is flooded; the rest waits for its queue.
    private const int Flooders = 8;

    private readonly LatencyRecorder _drift = new();
    private readonly List<TickRoom> _rooms = [];
    private readonly List<Socket> _members = [];
    private readonly CancellationTokenSource _stop = new();
    private PlayChatServer? _server;
    private KpiCollector? _figures;
    private Task _background = Task.CompletedTask;

    /// <summary>How late the ticks have been so far.</summary>
    private LatencyHistogram Drift => _drift.Snapshot();

    /// <summary>The server's figures; from <see cref="StartAsync"/> on.</summary>
    private KpiCollector Figures => _figures!;

    /// <summary>Makes rooms and members.</summary>
    private async Task StartAsync()
    {
        int next = -1;
        _server = new PlayChatServer(static o =>
        {
            o.ListenTcp("127.0.0.1:0");
            o.Sessions.IdleTimeout = Timeout.InfiniteTimeSpan; // they only listen
        })
            .OnFrame(static (_, _) => { })
            .OnConnected(session => _ = _rooms[Interlocked.Increment(ref next) % _rooms.Count].JoinAsync(session).AsTask())
            .OnStarting(server => MakeRooms(server.Rooms));
        await _server.StartAsync();
        _figures = new KpiCollector(_server.Metrics);
        var address = (IPEndPoint)_server.EndPoints[0];
        for (int i = 0; i < _rooms.Count * settings.Members; i++)
        {
            var member = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
            _members.Add(member);
            await member.ConnectAsync(address);
            member.Blocking = false;
        }

        IEnumerable<Task> floods = Enumerable.Range(0, settings.Flood ? Flooders : 0).Select(_ => Task.Run(FloodAsync));
        _background = Task.WhenAll(floods.Append(Task.Run(DrainAsync)));
    }

    /// <summary>Runs rooms and members, and measures them.</summary>
    /// <returns>The report, and whether no tick was missed.</returns>
    public static async Task<(JsonObject Report, bool Good)> MeasureAsync(
        TickSettings settings, TimeSpan warmup, TimeSpan duration, CancellationToken interrupted)
    {
        await using var load = new TickLoad(settings);
        await load.StartAsync();
        await Task.Delay(warmup, interrupted);
        DateTime startedAt = DateTime.UtcNow;
        LatencyHistogram before = load.Drift;
        KpiSnapshot from = load.Figures.Snapshot();
        await Task.Delay(duration, interrupted);
        var interval = KpiInterval.Between(from, load.Figures.Snapshot());
        LatencyHistogram drift = load.Drift;
        drift.Subtract(before);
        LatencySummary summary = drift.Summarize();
        double missed = interval.Extras.FirstOrDefault(static extra => extra.Name == "ticks missed").Value;
        var report = new JsonObject
        {
            ["mode"] = "ticks",
            ["rooms"] = settings.Rooms,
            ["hertz"] = settings.Hertz,
            ["members"] = settings.Members,
            ["size"] = settings.Bytes,
            ["flood"] = settings.Flood,
            ["warmup_s"] = JsonFigures.Round(warmup.TotalSeconds),
            ["duration_s"] = JsonFigures.Round(interval.Duration.TotalSeconds),
            ["ticks"] = summary.Count,
            ["ticks_per_s"] = JsonFigures.Round(summary.Count / interval.Duration.TotalSeconds),
            ["missed"] = missed,
            ["drift_us"] = JsonFigures.Latency(summary),
            ["drift_buckets"] = JsonFigures.Buckets(summary),
            ["deliveries_per_s"] = JsonFigures.Round(interval.DeliveriesPerSecond),
            ["jobs_per_s"] = JsonFigures.Round(interval.JobsExecutedPerSecond),
            ["cpu_percent"] = JsonFigures.Round(interval.CpuPercent),
            ["gc_pause_ms"] = JsonFigures.Round(interval.GcPause.TotalMilliseconds),
            ["started_at"] = startedAt.ToString("O", CultureInfo.InvariantCulture),
        };
        return (report, missed == 0);
    }

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        await _background;
        foreach (Socket member in _members)
        {
            member.Dispose();
        }

        if (_server is not null)
        {
            await _server.DisposeAsync();
        }

        _stop.Dispose();
    }

    private void MakeRooms(RoomRegistry rooms)
    {
        for (int i = 0; i < settings.Rooms; i++)
        {
            _rooms.Add(rooms.Create("ticks", context => new TickRoom(context, settings, _drift)));
        }

        if (settings.Flood)
        {
            _rooms.Add(rooms.Create("flood", context => new TickRoom(context, settings with { Hertz = 0 }, _drift)));
        }
    }

    private async Task FloodAsync()
    {
        while (!_stop.IsCancellationRequested && await _rooms[^1].FloodAsync())
        {
            // Again at once: only the room's queue holds it back.
        }
    }

    private async Task DrainAsync()
    {
        byte[] buffer = new byte[256 * 1024];
        using var timer = new PeriodicTimer(settings.Flood ? TimeSpan.FromMilliseconds(1) : TimeSpan.FromSeconds(1));
        int from = settings.Flood ? _rooms.Count - 1 : 0;
        for (int round = 0; !_stop.IsCancellationRequested; round++)
        {
            await timer.WaitForNextTickAsync(CancellationToken.None);
            for (int i = 0; i < _members.Count; i++)
            {
                // Those of the flooded room have much to take, the others little.
                if (!settings.Flood || i % _rooms.Count == from || i % 1000 == round % 1000)
                {
                    Drain(_members[i], buffer);
                }
            }
        }
    }

    private static void Drain(Socket member, byte[] buffer)
    {
        while (member.Receive(buffer, SocketFlags.None, out _) == buffer.Length)
        {
            // There is more.
        }
    }
}

/// <summary>A room that broadcasts at each tick, and notes how late that is.</summary>
internal sealed class TickRoom(RoomContext context, TickSettings settings, LatencyRecorder drift) : Room<RoomMember>(context)
{
    private readonly byte[] _body = new byte[settings.Bytes];

    /// <summary>Gives it a job that broadcasts.</summary>
    public ValueTask<bool> FloodAsync() =>
        this.PostAsync(static (TickRoom room, object? _) => room.Broadcast(room._body), null);

    protected override JoinDecision<RoomMember> OnJoining(Session session) => new RoomMember(session);

    protected override void OnCreate()
    {
        if (settings.Hertz > 0)
        {
            StartTick(settings.Hertz);
        }
    }

    protected override void OnTick(in RoomTick tick)
    {
        drift.Record((long)tick.Drift.TotalNanoseconds);
        Broadcast(_body);
    }
}

/// <summary>What ticks.</summary>
/// <param name="Rooms">Rooms that tick and are measured.</param>
/// <param name="Members">Members of each room, on sockets of their own.</param>
/// <param name="Bytes">What each tick broadcasts.</param>
/// <param name="Flood">Whether one room more is given jobs as fast as it takes them.</param>
internal sealed record TickSettings(int Rooms, double Hertz, int Members, int Bytes, bool Flood);
