using PlayChat.Core.Dispatch;

namespace PlayChat.Benchmark.Echo;

/// <summary>Request and answer: a fixed number outstanding on each connection (closed loop), or at a rate (open loop).</summary>
internal sealed class EchoScenario : IScenario
{
    private const int Seed = 1;

    private readonly EchoSettings _settings;
    private readonly EchoLoad _load;
    private readonly EchoLink[] _links;
    private readonly OpenEchoLink[] _open = []; // the same in the open loop, by the plan's clients
    private readonly Pacer? _pacer; // in the open loop
    private readonly Connection?[] _connections;
    private readonly PlayChatConnector _connector;
    private readonly Func<EchoLoad, ServerAddress, CancellationToken, Task<EchoLink>>? _connect;

    /// <param name="connect">Makes the connections instead, for a server of another protocol.</param>
    public EchoScenario(
        EchoSettings settings,
        ITransport? transport = null,
        Func<EchoLoad, ServerAddress, CancellationToken, Task<EchoLink>>? connect = null)
    {
        _settings = settings;
        _connect = connect;
        _load = new EchoLoad(settings);
        if (settings.Rate is { } rate)
        {
            var plan = new PacingPlan(settings.Ccu, rate / settings.Ccu, Seed);
            _open = new OpenEchoLink[settings.Ccu];
            for (int place = 0; place < settings.Ccu; place++)
            {
                _open[plan[place].Client] = new OpenEchoLink(_load, plan, place, settings.Ccu);
            }

            _pacer = new Pacer(plan, OnDue);
        }

        _links = _pacer is null ? Enumerable.Range(0, settings.Ccu).Select(_ => CreateLink()).ToArray() : _open;
        _connections = new Connection?[settings.Ccu];
        _connector = settings.Framing == EchoFraming.Request
            ? new PlayChatConnector(_load.Codec.Format, ChatPackets.All, MapNotices, CreateOptions(), OnClosed, transport)
            : new PlayChatConnector(_load.Codec.Format, OnFrame, CreateOptions(), OnClosed, transport);
    }

    public string Name => "echo";

    public Task Finished => _load.Answered;

    public IReadOnlyList<string> Faults => _load.Faults.Texts;

    public async Task ConnectAsync(ServerAddress server, Action<int> connected, CancellationToken cancellationToken)
    {
        string run = Guid.NewGuid().ToString("N")[..8];
        int ready = 0;
        await ConnectionCrowd.ForEachAsync(
            _settings.Ccu,
            async (index, token) =>
            {
                if (_connect is not null)
                {
                    _links[index] = await _connect(_load, server, token);
                    connected(Interlocked.Increment(ref ready));
                    return;
                }

                EchoLink link = _links[index];
                Connection connection = await ConnectionCrowd.ConnectAsync(_connector, server, link, token);
                if (_load.Codec.UsesRequestIds)
                {
                    await link.LoginAsync(connection, $"echo-{run}-{index}", token);
                }

                _connections[index] = connection;
                connected(Interlocked.Increment(ref ready));
            },
            cancellationToken,
            _settings.ConnectAtOnce);
    }

    public void Start(RunClock clock, MeasureWindow window)
    {
        _load.Clock = clock;
        _load.Window = window;
        for (int i = 0; i < _links.Length; i++)
        {
            _links[i].Start(_connections[i]!); // null where another library connects
        }

        _pacer?.Start(clock, window);
    }

    public async Task<bool> DrainAsync(TimeSpan timeout)
    {
        await (_pacer?.Stopped ?? Task.CompletedTask);
        Array.ForEach(_open, static link => link.OnPlanEnd());
        await Task.WhenAny(_load.Answered, Task.Delay(timeout));
        return _load.Answered.IsCompleted;
    }

    public LiveFigures Read()
    {
        LatencyHistogram latency = _load.Measured.Snapshot();
        latency.Add(_load.Unmeasured.Snapshot());
        return new LiveFigures(
            _links.Sum(static link => link.Sent), _links.Sum(static link => link.Received), _load.Faults.Count, latency);
    }

    public bool Write(JsonObject report, RunOutcome outcome)
    {
        report["ccu"] = _settings.Ccu;
        report["inflight"] = _settings.Inflight;
        report["size"] = _settings.PayloadBytes;
        report["framing"] = _settings.Framing.ToString().ToLowerInvariant();
        report["rate"] = _settings.Rate;
        report["sample_every"] = _settings.SampleEvery;
        long planned = _links.Sum(static link => link.Planned);
        long incomplete = planned - _links.Sum(static link => link.Received);
        double incompleteRatio = planned == 0 ? 0 : (double)incomplete / planned;
        long messages = _links.Sum(static link => link.Measured);
        long gatingViolations = _links.Sum(static link => link.GatingViolations);
        report["messages"] = messages;
        report["messages_per_s"] = outcome.PerSecond(messages);
        report["rtt_us"] = Latency(_load.Measured);
        if (_pacer is not null)
        {
            report["uncorrected_rtt_us"] = Latency(_load.Uncorrected);
            GeneratorLag.Write(report, _pacer.Lag.Summarize(), _settings.MaxLag);
        }

        report["errors"] = _load.Faults.Count;
        report["sent_total"] = planned;
        report["incomplete"] = incomplete;
        report["incomplete_ratio"] = JsonFigures.Round(incompleteRatio, digits: 6);
        report["gating_violation"] = gatingViolations;
        report["drain_timeout"] = !outcome.Drained;
        return (bool?)report["valid"] != false
            && _load.Faults.Count == 0
            && gatingViolations == 0
            && (outcome.Drained || outcome.Interrupted)
            && incompleteRatio <= _settings.MaxIncompleteRatio;
    }

    public async ValueTask DisposeAsync()
    {
        _load.Faults.Close();
        await _connector.DisposeAsync();
        foreach (EchoLink link in _links)
        {
            await link.CloseAsync();
        }
    }

    private static void OnFrame(Connection connection, Frame frame) => connection.Get<EchoLink>()!.OnFrame(connection, frame);

    private static void MapNotices(PacketRouter router)
    {
        router.MapPacket<SHeartbeatNtf>(static (context, _) => context.Connection.Send([], new FrameHeader(ChatPackets.CHeartbeatNtf.Id)));
        router.MapPacket<SCloseNtf>(static (_, _) => { }); // the connection's end follows, and is counted
    }

    private static void OnClosed(Connection connection, CloseReason reason) => connection.Get<EchoLink>()!.OnClosed(reason);

    private static JsonObject Latency(LatencyRecorder recorder) => JsonFigures.Latency(recorder.Snapshot().Summarize());

    private EchoLink CreateLink() =>
        _settings.Framing == EchoFraming.Request ? new RequestEchoLink(_load) : new ClosedEchoLink(_load);

    private ConnectorOptions CreateOptions()
    {
        // The whole window must fit: if a side that waits to send stopped reading, both sides would wait for each other.
        long window = (long)_settings.Inflight * _load.Codec.Format.GetEncodedBytes(_load.Codec.BodyBytes);
        ConnectorOptions options = ConnectionCrowd.CreateOptions(_settings.Ccu);
        options.Connections.MaxOutboundBytes = (int)Math.Clamp((2 * window) + (64 * 1024), 1024 * 1024, 1024 * 1024 * 1024);
        options.Connections.MaxRequests = Math.Max(options.Connections.MaxRequests, _settings.Inflight);
        return options;
    }

    // The generator's lag counts whether the window lets the link send or not.
    private bool OnDue(int client, long planned)
    {
        _open[client].OnDue(_pacer!.StartNanoseconds);
        return true;
    }
}

/// <param name="Inflight">The most requests outstanding on each of them: as many, in the closed loop.</param>
/// <param name="MessagesPerConnection">The most requests of a connection; <see langword="null"/>: no limit.</param>
internal sealed record EchoSettings(int Ccu, int Inflight, int PayloadBytes, EchoFraming Framing, long? MessagesPerConnection = null)
{
    /// <summary>Open loop: requests a second on all connections together; <see langword="null"/>: closed loop.</summary>
    public double? Rate { get; init; }

    /// <summary>Open loop: the generator's own lag (p99) from which the run is not valid.</summary>
    public TimeSpan MaxLag { get; init; } = TimeSpan.FromMilliseconds(50);

    /// <summary>One round trip in so many is timed; closed loop.</summary>
    public int SampleEvery { get; init; } = 1;

    public int ConnectAtOnce { get; init; } = ConnectionCrowd.AtOnce;

    /// <summary>The share of requests without an answer up to which the run is good.</summary>
    public double MaxIncompleteRatio { get; init; }
}

internal enum EchoFraming
{
    Packet, // C_ECHO_REQ and S_ECHO_RES of the chat protocol, with request ids, after a login
    Request, // the same packets on the wire, but each answer is awaited by Connection.RequestAsync
    Length4, // four bytes big-endian length and the payload: the server's echo mode
}
