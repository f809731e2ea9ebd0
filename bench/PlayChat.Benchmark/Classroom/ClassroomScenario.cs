using System.Diagnostics;
using System.Text.Json.Nodes;
using PlayChat.Benchmark.Failures;
using PlayChat.Benchmark.Fanout;
using PlayChat.Benchmark.Figures;
using PlayChat.Benchmark.Pacing;
using PlayChat.Benchmark.Run;
using PlayChat.Benchmark.Servers;
using PlayChat.Kpi;

namespace PlayChat.Benchmark.Classroom;

/// <summary>
/// Frames of length(2) + sender(2) + payload, each to every connection of its room: in one room the classroom, in several a broadcast that
/// needs no chat.
/// </summary>
internal sealed class ClassroomScenario : IScenario
{
    private const int MaxNamed = 5;

    private readonly ClassroomSettings _settings;
    private readonly FaultLog _faults = new();
    private readonly ClassroomLoad _load;
    private readonly ClassroomLink[] _links; // of this process, from settings.First on
    private readonly Pacer[] _pacers;
    private SentCounts? _allSent; // where other processes send as well
    private readonly StalledReader[] _stalled;
    private readonly IClassroomNetwork _network;
    private double _connectSeconds;

    /// <param name="name">The value of <c>mode</c> in the report.</param>
    /// <param name="settings">What the load is.</param>
    /// <param name="network">Makes the connections. Disposed with the scenario.</param>
    public ClassroomScenario(string name, ClassroomSettings settings, IClassroomNetwork network)
    {
        Name = name;
        _settings = settings;
        _load = new ClassroomLoad(settings, _faults) { Observer = settings.HasObserver ? settings.Clients : -1 };
        _links = Enumerable.Range(settings.First, settings.Own ?? settings.Readers)
            .Select(index => new ClassroomLink(index, _load, network)).ToArray();
        int senders = Math.Clamp(settings.Clients - settings.First, 0, _links.Length);
        _pacers =
        [
            .. Pace(_links[..senders], settings.MessagesPerSecond),
            .. Pace(_links[senders..], settings.ObserverMessagesPerSecond),
        ];
        _stalled = Enumerable.Range(0, settings.Stalled).Select(static _ => new StalledReader()).ToArray();
        _network = network;
    }

    public string Name { get; }

    // The plan has no end of its own.
    public Task Finished { get; } = new TaskCompletionSource().Task;

    public IReadOnlyList<string> Faults =>
        [.. _faults.Texts, .. FanoutLog.FindMissing(Receivers, SentBy).Take(MaxNamed).Select(static missing => missing.ToString())];

    private DeliveryCounter[] Receivers => _links.Where(static link => link.IsThere).Select(static link => link.Counter).ToArray();

    public async Task ConnectAsync(ServerAddress server, Action<int> connected, CancellationToken cancellationToken)
    {
        long began = Stopwatch.GetTimestamp();
        int ready = 0;
        string? problem = null;
        await ConnectionCrowd.ForEachAsync(
            _links.Length,
            async (index, token) =>
            {
                if (await _links[index].EnterAsync(server, token) is { } why)
                {
                    problem = why;
                    _faults.Add(why);
                }
                else
                {
                    connected(Interlocked.Increment(ref ready));
                }
            },
            cancellationToken,
            // One after the other where there are rooms: the server deals them out in the order of acceptance.
            _settings.Rooms > 1 ? 1 : _settings.ConnectAtOnce);
        _connectSeconds = Stopwatch.GetElapsedTime(began).TotalSeconds;
        if (ready == 0)
        {
            throw new UsageException(problem!);
        }

        foreach (StalledReader reader in _stalled)
        {
            await reader.ConnectAsync(server, cancellationToken);
            connected(++ready);
        }
    }

    /// <summary>The latency of measured deliveries.</summary>
    public LatencyHistogram Latency => _load.Log.Rooms.Snapshot();

    /// <summary>Planned to real time of sending. Read it after <see cref="StopSendingAsync"/>.</summary>
    public LatencyHistogram Lag
    {
        get
        {
            LatencyHistogram lag = new();
            Array.ForEach(_pacers, pacer => lag.Add(pacer.Lag));
            return lag;
        }
    }

    /// <summary>What the connections of this process have sent.</summary>
    public SentCounts Sent => new(
        _links.Select(static link => link.Sent).ToArray(), _links.Select(static link => link.MeasuredSent).ToArray());

    /// <summary>
    /// Says what the connections of all processes have sent. Call it before <see cref="WriteFigures"/> where other processes send.
    /// </summary>
    public void KnowAllSent(SentCounts sent) => _allSent = sent;

    public void Start(RunClock clock, MeasureWindow window)
    {
        Prepare(clock, window);
        StartSending();
    }

    /// <summary>Makes ready for messages, which connections of other processes may send from now on.</summary>
    public void Prepare(RunClock clock, MeasureWindow window)
    {
        double rate = Math.Max(_settings.MessagesPerSecond, _settings.ObserverMessagesPerSecond);
        _load.Log.Arrivals.Begin(rate, (window.EndNanoseconds - clock.Nanoseconds) / 1e9);
        _load.Clock = clock;
        _load.Window = window;
    }

    /// <summary>Starts sending, after <see cref="Prepare"/>.</summary>
    public void StartSending()
    {
        foreach (Pacer pacer in _pacers)
        {
            pacer.Start(_load.Clock, _load.Window!);
        }
    }

    /// <summary>Completes after the last message was sent.</summary>
    public Task StopSendingAsync() => Task.WhenAll(_pacers.Select(static pacer => pacer.Stopped));

    public async Task<bool> DrainAsync(TimeSpan timeout)
    {
        await StopSendingAsync();
        bool drained = await Drain.WaitAsync(
            () => _links.Sum(static link => link.Counter.Delivered) >= Expected(static link => link.Sent), timeout);
        await Drain.WaitForResetsAsync(() => Array.TrueForAll(_stalled, static reader => reader.IsReset));
        return drained;
    }

    public LiveFigures Read()
    {
        LatencyHistogram latency = _load.Log.Rooms.Snapshot();
        latency.Add(_load.Log.Unmeasured.Snapshot());
        long faults = _faults.Count + _links.Sum(static link => link.Counter.Duplicated + link.Counter.Reordered + link.Counter.Corrupted);
        return new LiveFigures(_pacers.Sum(static pacer => pacer.Sent), _links.Sum(static link => link.Counter.Delivered), faults, latency);
    }

    public void WriteSettings(JsonObject report)
    {
        report["clients"] = _settings.Clients;
        report["rooms"] = _settings.Rooms;
        report["rps"] = _settings.MessagesPerSecond;
        report["mix"] = _settings.Payloads.Text;
        report["seed"] = _settings.Seed;
    }

    public bool WriteFigures(JsonObject report, RunOutcome outcome)
    {
        var figures = new CrowdFigures(
            _links.Sum(static link => (long)link.MeasuredSent),
            Sum(static counter => counter.Measured),
            Expected(static link => link.MeasuredSent),
            CountLost(),
            Sum(static counter => counter.Duplicated),
            Sum(static counter => counter.Reordered),
            Sum(static counter => counter.Corrupted));
        figures.Write(report, outcome);
        report["errors"] = _faults.Count;
        report["drain_timeout"] = !outcome.Drained;
        LatencySummary latency = Latency.Summarize();
        report["latency_us"] = JsonFigures.Latency(latency);
        report["latency_buckets"] = JsonFigures.Buckets(latency);
        GeneratorLag.Write(report, Lag.Summarize(), _settings.MaxLag);
        report["deliveries_per_io"] = JsonFigures.Round(outcome.Server?.DeliveriesPerSend);
        report["connecting"] = WriteConnecting();
        report["observer"] = _settings.HasObserver ? _load.RoundTrips.ToJson() : null;
        report["stalled"] = _stalled.Length == 0 ? null : new JsonObject
        {
            ["clients"] = _stalled.Length,
            ["reset"] = _stalled.Count(static reader => reader.IsReset),
        };
        report["fanout"] = _load.Log.ToJson(figures.Expected, Receivers, SentBy, _stalled.Length);
        // What was lost in the warm-up is lost as well.
        bool all = (outcome.Drained || outcome.Interrupted) && !FanoutLog.FindMissing(Receivers, SentBy).Any();
        return figures.IsGood && all && _faults.Count == 0 && (bool)report["valid"]!;
    }

    public async ValueTask DisposeAsync()
    {
        _faults.Close();
        await _network.DisposeAsync();
        Array.ForEach(_stalled, static reader => reader.Dispose());
    }

    private JsonObject WriteConnecting()
    {
        int served = _links.Count(static link => link.IsThere);
        return new JsonObject
        {
            ["asked"] = _links.Length,
            ["at_once"] = _settings.Rooms > 1 ? 1 : _settings.ConnectAtOnce,
            ["served"] = served,
            ["failed"] = _links.Length - served,
            ["seconds"] = JsonFigures.Round(_connectSeconds),
        };
    }

    private int SentBy(int client) => _allSent is { } all ? all.Sent[client] : _links[client].Sent;

    // A connection that was never served receives nothing and counts as failed, so the drain does not wait for it.
    private long Expected(Func<ClassroomLink, long> sent)
    {
        long[] readers = new long[_settings.Rooms];
        for (int i = 0; i < _links.Length; i++)
        {
            readers[_load.Roster.RoomOf(i)] += _links[i].IsThere ? 1 : 0;
        }

        long expected = 0;
        for (int i = 0; i < _links.Length; i++)
        {
            expected += sent(_links[i]) * readers[_load.Roster.RoomOf(i)];
        }

        return expected;
    }

    // Each receiver on its own, so that nothing too much here hides something missing there.
    private long CountLost()
    {
        int[] measured = (_allSent ?? Sent).Measured;
        long[] due = new long[_settings.Rooms];
        for (int i = 0; i < measured.Length; i++)
        {
            due[_load.Roster.RoomOf(i)] += measured[i];
        }

        long lost = 0;
        for (int i = 0; i < _links.Length; i++)
        {
            int room = _load.Roster.RoomOf(_settings.First + i);
            lost += _links[i].IsThere ? Math.Max(0, due[room] - _links[i].Counter.Measured) : 0;
        }

        return lost;
    }

    private long Sum(Func<DeliveryCounter, long> figure) => _links.Sum(link => figure(link.Counter));

    // Each process has phases of its own.
    private IEnumerable<Pacer> Pace(ClassroomLink[] links, double messagesPerSecond)
    {
        int seed = _settings.Seed + _settings.First;
        return links.Length == 0
            ? []
            : [new Pacer(new PacingPlan(links.Length, messagesPerSecond, seed), _settings.Payloads, seed, links)];
    }
}
