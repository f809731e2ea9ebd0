namespace PlayChat.Benchmark.Crowds;

/// <summary>Clients that talk at one rate in rooms, the threads that send for them, and their counts.</summary>
/// <typeparam name="TLink">The client.</typeparam>
internal sealed class FanoutCrowd<TLink>
    where TLink : FanoutLink
{
    private readonly FanoutSettings _settings;
    private readonly List<Pacer> _pacers;

    /// <param name="settings">Clients, rooms and rate, and the observer; what else is in a run is not looked at.</param>
    public FanoutCrowd(FanoutSettings settings, FaultLog faults, Func<int, FanoutLoad, TLink> create)
    {
        _settings = settings;
        Load = new FanoutLoad(settings, faults);
        Links = Enumerable.Range(0, settings.Readers).Select(index => create(index, Load)).ToArray();
        _pacers = [Pace(Links[..settings.Clients], settings.MessagesPerSecond)];
        if (settings.HasObserver)
        {
            _pacers.Add(Pace(Links[settings.Clients..], settings.ObserverMessagesPerSecond));
        }
    }

    /// <summary>What the clients share.</summary>
    public FanoutLoad Load { get; }

    /// <summary>All clients, by their indices.</summary>
    public TLink[] Links { get; }

    /// <summary>Completes when nothing is sent any more.</summary>
    public Task Stopped => Task.WhenAll(_pacers.Select(static pacer => pacer.Stopped));

    /// <summary>The latency of what was measured so far; the reader's own.</summary>
    public LatencyHistogram Measured => Load.Log.Rooms.Snapshot();

    /// <summary>Whether everything that was sent, in all phases, has arrived.</summary>
    public bool HasAll => Sum(static link => link.Counter.Delivered) >= Expected(static link => link.Sent);

    /// <summary>Begins to send, and stops by itself at the end of the window.</summary>
    public void Start(RunClock clock, MeasureWindow window)
    {
        double rate = Math.Max(_settings.MessagesPerSecond, _settings.ObserverMessagesPerSecond);
        Load.Log.Arrivals.Begin(rate, (window.EndNanoseconds - clock.Nanoseconds) / 1e9);
        Load.Clock = clock;
        Load.Window = window;
        _pacers.ForEach(pacer => pacer.Start(clock, window));
    }

    /// <summary>The counts so far.</summary>
    public LiveFigures Read()
    {
        LatencyHistogram latency = Measured;
        latency.Add(Load.Log.Unmeasured.Snapshot());
        return new LiveFigures(
            _pacers.Sum(static pacer => pacer.Sent),
            Sum(static link => link.Counter.Delivered),
            Sum(static link => link.Counter.Duplicated + link.Counter.Reordered + link.Counter.Corrupted),
            latency);
    }

    /// <summary>Adds what was sent and received to a report.</summary>
    /// <returns>Whether every measured message arrived once, in order and unchanged.</returns>
    public bool WriteCounts(JsonObject report, RunOutcome outcome)
    {
        var figures = new CrowdFigures(
            Sum(static link => link.MeasuredSent),
            Sum(static link => link.Counter.Measured),
            Expected(static link => link.MeasuredSent),
            CountLost(),
            Sum(static link => link.Counter.Duplicated),
            Sum(static link => link.Counter.Reordered),
            Sum(static link => link.Counter.Corrupted));
        figures.Write(report, outcome);
        return figures.IsGood;
    }

    /// <summary>Adds all figures to a report.</summary>
    /// <returns>Whether every message arrived, also of the warm-up, once, in order and unchanged, and the load was not late.</returns>
    public bool WriteFigures(JsonObject report, RunOutcome outcome)
    {
        bool good = WriteCounts(report, outcome);
        LatencySummary latency = Measured.Summarize();
        LatencyHistogram lag = new();
        _pacers.ForEach(pacer => lag.Add(pacer.Lag));
        report["errors"] = Load.Faults.Count;
        report["drain_timeout"] = !outcome.Drained;
        report["latency_us"] = JsonFigures.Latency(latency);
        report["latency_buckets"] = JsonFigures.Buckets(latency);
        GeneratorLag.Write(report, lag.Summarize(), _settings.MaxLag);
        report["fanout"] = Load.Log.ToJson((long)report["expected_deliveries"]!, Receivers, SentBy, _settings.Stalled);
        report["deliveries_per_io"] = JsonFigures.Round(outcome.Server?.DeliveriesPerSend);
        return good && (outcome.Drained || outcome.Interrupted) && !FindMissing().Any() && Load.Faults.Count == 0 && (bool)report["valid"]!;
    }

    /// <summary>The first few deliveries that did not come.</summary>
    public IEnumerable<MissingDelivery> FindMissing() => FanoutLog.FindMissing(Receivers, SentBy);

    private DeliveryCounter[] Receivers => Links.Where(static link => link.IsThere).Select(static link => link.Counter).ToArray();

    private int SentBy(int client) => Links[client].Sent;

    private long Expected(Func<TLink, int> sent)
    {
        long[] due = Due(sent);
        return Sum(link => link.IsThere ? due[Load.Roster.RoomOf(link.Index)] : 0);
    }

    // Each receiver on its own, so that nothing too much here hides something missing there.
    private long CountLost()
    {
        long[] due = Due(static link => link.MeasuredSent);
        return Sum(link => link.IsThere ? Math.Max(0, due[Load.Roster.RoomOf(link.Index)] - link.Counter.Measured) : 0);
    }

    private long[] Due(Func<TLink, int> sent)
    {
        long[] due = new long[_settings.Rooms];
        foreach (TLink link in Links)
        {
            due[Load.Roster.RoomOf(link.Index)] += sent(link);
        }

        return due;
    }

    private long Sum(Func<TLink, long> figure)
    {
        long sum = 0;
        foreach (TLink link in Links)
        {
            sum += figure(link);
        }

        return sum;
    }

    private Pacer Pace(TLink[] links, double messagesPerSecond) => new(
        new PacingPlan(links.Length, messagesPerSecond, _settings.Seed), _settings.Mix, _settings.Seed, links);
}
