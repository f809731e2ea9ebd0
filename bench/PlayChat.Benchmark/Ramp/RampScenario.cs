namespace PlayChat.Benchmark.Ramp;

/// <summary>Adds connections step by step that send a few bytes now and then, which come back: what a quiet connection costs.</summary>
internal sealed class RampScenario : IScenario
{
    private const int Seed = 1;

    private static readonly TimeSpan s_connectTimeout = TimeSpan.FromSeconds(5);

    private readonly RampSettings _settings;
    private readonly EchoLoad _load;
    private readonly PlayChatConnector _connector;
    private readonly RampLink[] _links;
    private readonly Pacer _pacer;
    private ServerAddress _server = null!; // set when connected
    private Task _connecting = Task.CompletedTask; // all attempts, from the start of the load on
    private long _refused;

    public RampScenario(RampSettings settings, ITransport? transport = null)
    {
        _settings = settings;
        var echo = new EchoSettings(settings.Connections, Inflight: 1, settings.Bytes, EchoFraming.Length4);
        _load = new EchoLoad(echo);
        _links = Enumerable.Range(0, settings.Connections).Select(_ => new RampLink(_load)).ToArray();
        // At phases that are spread evenly, however fast the connections come: the load is the same from the first second on.
        _pacer = new Pacer(
            new PacingPlan(settings.Connections, 1 / settings.MessageInterval.TotalSeconds, Seed),
            (client, _) => _links[client].SendNext());
        ConnectorOptions options = ConnectionCrowd.CreateOptions(settings.Connections);
        options.ConnectTimeout = s_connectTimeout;
        _connector = new PlayChatConnector(
            _load.Codec.Format,
            static (connection, frame) => connection.Get<RampLink>()!.OnFrame(connection, frame),
            options,
            static (connection, reason) => connection.Get<RampLink>()!.OnClosed(reason),
            transport);
    }

    public string Name => "ramp";

    public IReadOnlyList<string> Faults => _load.Faults.Texts;

    /// <summary>Only sees whether there is a server: the ramp itself is what is measured.</summary>
    public async Task ConnectAsync(ServerAddress server, Action<int> connected, CancellationToken cancellationToken)
    {
        _server = server;
        await StalledReader.ProbeAsync(server, cancellationToken);
    }

    public void Start(RunClock clock, MeasureWindow window)
    {
        _load.Clock = clock;
        _pacer.Start(clock, window);
        _connecting = ConnectAllAsync(clock, window);
    }

    public async Task<bool> DrainAsync(TimeSpan timeout)
    {
        await _pacer.Stopped;
        return await Drain.WaitAsync(
            () => _connecting.IsCompleted && _links.All(static link => link.Received == link.Sent || link.IsClosed), timeout);
    }

    public LiveFigures Read() => new(
        _links.Sum(static link => link.Sent), _links.Sum(static link => link.Received), _load.Faults.Count, _load.Measured.Snapshot())
    {
        Connections = Open,
    };

    public bool Write(JsonObject report, RunOutcome outcome)
    {
        report["connections"] = _settings.Connections;
        report["ramp"] = _settings.Step;
        report["ramp_interval_s"] = JsonFigures.Round(_settings.StepInterval.TotalSeconds);
        report["size"] = _settings.Bytes;
        report["message_interval_s"] = JsonFigures.Round(_settings.MessageInterval.TotalSeconds);
        int accepted = _links.Count(static link => link.IsAccepted);
        long incomplete = _links.Sum(static link => link.Sent - link.Received);
        report["accepted"] = accepted;
        report["refused"] = Interlocked.Read(ref _refused);
        report["open"] = Open;
        report["messages"] = _links.Sum(static link => link.Received);
        report["incomplete"] = incomplete;
        report["errors"] = _load.Faults.Count;
        report["drain_timeout"] = !outcome.Drained;
        report["rtt_us"] = JsonFigures.Latency(_load.Measured.Snapshot().Summarize());
        IntervalFigures[] known = outcome.Intervals.Where(static row => row.Server is not null).ToArray();
        report["cpu_percent_average"] = JsonFigures.Round(outcome.Server?.Interval.CpuPercent);
        report["cpu_percent_max"] = JsonFigures.Round(known.Max(static row => (double?)row.Server!.Interval.CpuPercent));
        report["cpu_percent_held"] = JsonFigures.Round(
            known.Where(row => row.AtSeconds >= _settings.Length.TotalSeconds + 1)
                .Select(static row => (double?)row.Server!.Interval.CpuPercent)
                .DefaultIfEmpty()
                .Average());
        report["memory_bytes_per_connection"] = JsonFigures.Round(MemoryPerConnection(known), 0);
        return (accepted == _settings.Connections || outcome.Interrupted) && incomplete == 0 && _load.Faults.Count == 0;
    }

    public async ValueTask DisposeAsync()
    {
        _load.Faults.Close();
        await _connector.DisposeAsync();
    }

    /// <summary>How much the resident memory grew from the first line to the last for each connection that came meanwhile.</summary>
    internal static double? MemoryPerConnection(IReadOnlyList<IntervalFigures> rows)
    {
        if (rows.Count < 2 || rows[^1].Server!.Last.Connections <= rows[0].Server!.Last.Connections)
        {
            return null;
        }

        double bytes = rows[^1].Server!.Last.Process.WorkingSetBytes - rows[0].Server!.Last.Process.WorkingSetBytes;
        return bytes / (rows[^1].Server!.Last.Connections - rows[0].Server!.Last.Connections);
    }

    private int Open => _links.Count(static link => link.IsAccepted && !link.IsClosed);

    private async Task ConnectAllAsync(RunClock clock, MeasureWindow window)
    {
        long start = clock.Nanoseconds;
        double step = Math.Max(1, _settings.StepInterval.TotalMicroseconds * 1000);
        var attempts = new List<Task>(_settings.Connections);
        for (bool ended = false; attempts.Count < _settings.Connections && !ended;)
        {
            ended = clock.Nanoseconds >= window.EndNanoseconds; // read first: what was due until then is still asked for
            long steps = 1 + (long)((clock.Nanoseconds - start) / step);
            for (long wanted = Math.Min(_settings.Connections, steps * _settings.Step); attempts.Count < wanted;)
            {
                attempts.Add(ConnectAsync(_links[attempts.Count]));
            }

            await Task.Delay(TimeSpan.FromMilliseconds(1));
        }

        await Task.WhenAll(attempts);
    }

    private async Task ConnectAsync(RampLink link)
    {
        try
        {
            link.Start(await ConnectionCrowd.ConnectAsync(_connector, _server, link, CancellationToken.None));
        }
        catch (UsageException)
        {
            Interlocked.Increment(ref _refused); // that is what is measured
        }
        catch (ObjectDisposedException)
        {
            // The run is over.
        }
    }
}

/// <param name="StepInterval">Between two steps, in the time of the run.</param>
/// <param name="MessageInterval">Between two messages of a connection, in the time of the run.</param>
internal sealed record RampSettings(int Connections, int Step, TimeSpan StepInterval, int Bytes, TimeSpan MessageInterval)
{
    public TimeSpan Length => ((Connections - 1) / Step) * StepInterval;
}
