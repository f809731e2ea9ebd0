namespace PlayChat.Benchmark.Crowds;

/// <summary>Clients that talk at one rate in rooms, the threads that send for them, readers that stall, and their counts.</summary>
internal abstract class FanoutScenario<TLink> : IScenario
    where TLink : FanoutLink
{
    private const int MaxNamed = 5;

    // A server resets readers that stall beside its deliveries, maybe after the last one; one that drops messages never does.
    private static readonly TimeSpan s_resetPatience = TimeSpan.FromSeconds(1);

    private readonly List<Pacer> _pacers;

    protected FanoutScenario(string name, FanoutSettings settings, Func<int, FanoutLoad, TLink> create)
    {
        Name = name;
        Settings = settings;
        Load = new FanoutLoad(settings);
        Links = Enumerable.Range(0, settings.Readers).Select(index => create(index, Load)).ToArray();
        Stalled = Enumerable.Range(0, settings.Stalled).Select(static _ => new StalledReader()).ToArray();
        _pacers = [Pace(Links[..settings.Clients], settings.MessagesPerSecond)];
        if (settings.HasObserver)
        {
            _pacers.Add(Pace(Links[settings.Clients..], settings.ObserverMessagesPerSecond));
        }
    }

    public string Name { get; }

    protected virtual bool CountsCloses => false; // by their reasons, which baselines do not

    /// <summary>The first few faults and the first few deliveries that did not come, one line each.</summary>
    public IReadOnlyList<string> Faults =>
        [.. Load.Faults.Texts, .. FindMissing().Take(MaxNamed).Select(static missing => missing.ToString())];

    protected FanoutSettings Settings { get; }

    protected FanoutLoad Load { get; }

    protected TLink[] Links { get; }

    protected StalledReader[] Stalled { get; }

    public abstract Task ConnectAsync(ServerAddress server, Action<int> connected, CancellationToken cancellationToken);

    public void Start(RunClock clock, MeasureWindow window)
    {
        double rate = Math.Max(Settings.MessagesPerSecond, Settings.ObserverMessagesPerSecond);
        Load.Log.Arrivals.Begin(rate, (window.EndNanoseconds - clock.Nanoseconds) / 1e9);
        Load.Clock = clock;
        Load.Window = window;
        _pacers.ForEach(pacer => pacer.Start(clock, window));
    }

    public async Task<bool> DrainAsync(TimeSpan timeout)
    {
        await Task.WhenAll(_pacers.Select(static pacer => pacer.Stopped));
        bool drained = await Drain.WaitAsync(
            () => Links.Sum(static link => link.Counter.Delivered) >= Expected(static link => link.Sent).Sum(), timeout);
        await Drain.WaitAsync(() => Array.TrueForAll(Stalled, static reader => reader.IsReset), s_resetPatience);
        return drained;
    }

    public LiveFigures Read()
    {
        LatencyHistogram latency = Load.Log.Rooms.Snapshot();
        latency.Add(Load.Log.Unmeasured.Snapshot());
        return new LiveFigures(
            _pacers.Sum(static pacer => pacer.Sent),
            Links.Sum(static link => link.Counter.Delivered),
            Load.Faults.Count + Links.Sum(static link => link.Counter.Duplicated + link.Counter.Reordered + link.Counter.Corrupted),
            latency);
    }

    /// <returns>Whether every message arrived, also of the warm-up, once, in order and unchanged, and the load was not late.</returns>
    public virtual bool Write(JsonObject report, RunOutcome outcome)
    {
        Settings.Write(report);
        long messages = Links.Sum(static link => (long)link.MeasuredSent);
        long deliveries = Links.Sum(static link => link.Counter.Measured);
        long[] expected = Expected(static link => link.MeasuredSent);
        // Each receiver on its own, so that nothing too much here hides something missing there.
        long lost = Links.Zip(expected).Sum(static pair => pair.First.IsThere ? Math.Max(0, pair.Second - pair.First.Counter.Measured) : 0);
        long duplicated = Links.Sum(static link => link.Counter.Duplicated);
        long reordered = Links.Sum(static link => link.Counter.Reordered);
        long corrupted = Links.Sum(static link => link.Counter.Corrupted);
        LatencySummary latency = Load.Log.Rooms.Snapshot().Summarize();
        LatencyHistogram lag = new();
        _pacers.ForEach(pacer => lag.Add(pacer.Lag));
        report["messages"] = messages;
        report["app_in_per_s"] = outcome.PerSecond(messages);
        report["deliveries"] = deliveries;
        report["deliveries_per_s"] = outcome.PerSecond(deliveries);
        report["expected_deliveries"] = expected.Sum();
        report["fan_out"] = JsonFigures.Round(messages == 0 ? null : (double)deliveries / messages);
        report["lost"] = lost;
        report["duplicated"] = duplicated;
        report["reordered"] = reordered;
        report["corrupted"] = corrupted;
        report["errors"] = Load.Faults.Count;
        report["drain_timeout"] = !outcome.Drained;
        report["latency_us"] = JsonFigures.Latency(latency);
        report["latency_buckets"] = JsonFigures.Buckets(latency);
        GeneratorLag.Write(report, lag.Summarize(), Settings.MaxLag);
        report["fanout"] = Load.Log.ToJson(expected.Sum(), Receivers, SentBy);
        report["deliveries_per_io"] = JsonFigures.Round(outcome.Server?.DeliveriesPerSend);
        report["stalled"] = Stalled.Length == 0 ? null : new JsonObject
        {
            ["clients"] = Stalled.Length,
            ["reset"] = Stalled.Count(static reader => reader.IsReset),
            ["closed_as_slow_consumer"] = CountsCloses ? outcome.Server?.Last.GetCloses(CloseReason.SlowConsumer) : null,
        };
        return lost + duplicated + reordered + corrupted + Load.Faults.Count == 0
            && (outcome.Drained || outcome.Interrupted)
            && !FindMissing().Any()
            && (bool)report["valid"]!;
    }

    public async ValueTask DisposeAsync()
    {
        Load.Faults.Close();
        await DisposeConnectionsAsync();
        Array.ForEach(Stalled, static reader => reader.Dispose());
    }

    protected abstract ValueTask DisposeConnectionsAsync();

    private DeliveryCounter[] Receivers => Links.Where(static link => link.IsThere).Select(static link => link.Counter).ToArray();

    private IEnumerable<MissingDelivery> FindMissing() => FanoutLog.FindMissing(Receivers, SentBy);

    private int SentBy(int client) => Links[client].Sent;

    // The deliveries that each client is due, by what the members of its room have sent.
    private long[] Expected(Func<TLink, int> sent)
    {
        long[] due = new long[Settings.Rooms];
        foreach (TLink link in Links)
        {
            due[Load.Roster.RoomOf(link.Index)] += sent(link);
        }

        return Array.ConvertAll(Links, link => link.IsThere ? due[Load.Roster.RoomOf(link.Index)] : 0);
    }

    private Pacer Pace(TLink[] links, double messagesPerSecond)
    {
        var random = new Random(Settings.Seed); // the pacer's thread's own
        return new Pacer(
            new PacingPlan(links.Length, messagesPerSecond, Settings.Seed),
            (client, planned) => links[client].Send(planned, Settings.Mix.Next(random)));
    }
}

/// <summary>A load whose messages go to all members of a room.</summary>
internal sealed record FanoutSettings(int Clients, int Rooms, double MessagesPerSecond, PayloadMix Mix, int Seed)
{
    /// <summary>In front of a text without the chat protocol: length(2) + sender(2).</summary>
    public const int HeaderBytes = 4;

    /// <summary>Without the chat protocol, sender ids are two bytes.</summary>
    public const int MaxSenders = ushort.MaxValue;

    /// <summary>Extra clients in the same rooms that send nothing and never read.</summary>
    public int Stalled { get; init; }

    /// <summary>Messages per second of one more client that measures its own round trip; 0: there is none.</summary>
    public double ObserverMessagesPerSecond { get; init; }

    public int ConnectAtOnce { get; init; } = ConnectionCrowd.AtOnce;

    /// <summary>A delivery that comes later than this after its planned time is counted as late.</summary>
    public TimeSpan Late { get; init; } = TimeSpan.FromMilliseconds(50);

    /// <summary>The run is not valid when a hundredth of the messages was sent later than this after the planned time.</summary>
    public TimeSpan MaxLag { get; init; } = TimeSpan.FromMilliseconds(50);

    /// <summary>Nodes of a cluster: the members of each room are spread over them. Empty for one server.</summary>
    public IReadOnlyList<ServerAddress> Nodes { get; init; } = [];

    public bool HasObserver => ObserverMessagesPerSecond > 0;

    /// <summary>Clients that read: those that send, and the observer.</summary>
    public int Readers => Clients + (HasObserver ? 1 : 0);

    public int LargestRoom => new ChatRoster(Clients, Rooms).LargestRoom;

    public int Connections => Readers + Stalled;

    public void Write(JsonObject report)
    {
        report["clients"] = Clients;
        report["rooms"] = Rooms;
        report["rps"] = MessagesPerSecond;
        report["mix"] = Mix.Text;
        report["seed"] = Seed;
        report["nodes"] = Nodes.Count;
    }
}
