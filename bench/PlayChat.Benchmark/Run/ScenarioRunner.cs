namespace PlayChat.Benchmark.Run;

/// <summary>Runs a scenario through its phases: connect, warm up, measure, drain.</summary>
internal sealed class ScenarioRunner(IScenario scenario, RunPlan plan, View view, KpiFile? kpis)
{
    private static readonly TimeSpan s_tick = TimeSpan.FromMilliseconds(250);

    // An interrupted run ends soon: outstanding messages get this much time.
    private static readonly TimeSpan s_interruptedDrain = TimeSpan.FromSeconds(2);

    private readonly RunClock _clock = new();
    private readonly List<IntervalFigures> _rows = [];
    private long _start;
    private RunPhase _phase;
    private Mark _lastTick = null!; // set before the first phase
    private Mark _lastRow = null!;

    /// <summary>Reads the figures of the cluster that was started; <see langword="null"/> without one.</summary>
    public ClusterWatch? Cluster { get; init; }

    /// <param name="interrupted">Ends the measurement early; the result covers the time until then.</param>
    /// <exception cref="OperationCanceledException">The run was interrupted before the load began.</exception>
    public async Task<RunOutcome> RunAsync(ServerAddress server, int connections, CancellationToken interrupted)
    {
        await scenario.ConnectAsync(server, connected => OnConnected(connected, connections), interrupted);
        _lastTick = _lastRow = TakeMark(); // before the window is set: reading for the first time also compiles
        _start = _clock.Nanoseconds;
        long measureStart = _start + Nanoseconds(plan.Warmup);
        bool waits = plan.MaxWarmup > plan.Warmup;
        MeasureWindow window = waits
            ? MeasureWindow.NotKnown()
            : new MeasureWindow(measureStart, measureStart + Nanoseconds(plan.Duration));
        scenario.Start(_clock, window);

        await WaitAsync(RunPhase.Warmup, _start, waits ? plan.MaxWarmup : plan.Warmup, measureStart, scenario.Finished, interrupted);
        if (waits)
        {
            await WaitUntilSteadyAsync(interrupted);
            measureStart = _clock.Nanoseconds + Nanoseconds(s_tick);
            window.BeginAt(measureStart, measureStart + Nanoseconds(plan.Duration));
            await WaitAsync(RunPhase.Warmup, _start, plan.MaxWarmup, measureStart, scenario.Finished, interrupted);
        }

        Cluster?.Mark();
        var clientFirst = ProcessFigures.Read();
        await WaitAsync(
            RunPhase.Measure, _clock.Nanoseconds, plan.Duration, window.EndNanoseconds, scenario.Finished, interrupted);
        window.CutAt(_clock.Nanoseconds);
        var client = new ClientFigures(clientFirst, ProcessFigures.Read(), window.Seconds);
        Cluster?.Mark();
        AddRow(RunPhase.Measure, TakeMark(), s_tick);

        TimeSpan patience = interrupted.IsCancellationRequested ? s_interruptedDrain : plan.DrainTimeout;
        Task<bool> drained = scenario.DrainAsync(patience);
        long drainStart = _clock.Nanoseconds;
        await WaitAsync(RunPhase.Drain, drainStart, patience, drainStart + Nanoseconds(patience), drained, CancellationToken.None);
        return new RunOutcome(window.Seconds, await drained, interrupted.IsCancellationRequested, _rows, Server: null)
        {
            Client = client,
            WarmedUp = TimeSpan.FromMicroseconds((window.StartNanoseconds - _start) / 1000d),
            MeasuredFrom = _clock.ToWallClock(window.StartNanoseconds),
            MeasuredTo = _clock.ToWallClock(window.EndNanoseconds),
        };
    }

    private void OnConnected(int connected, int connections)
    {
        // Showing costs more than connecting, so not every connection is shown.
        if (connected % 50 == 0)
        {
            view.Status($"connect {connected} of {connections}");
        }

        if (connected == connections)
        {
            view.Say($"{connections} connections ready.");
        }
    }

    private static long Nanoseconds(TimeSpan time) => (long)(time.TotalMicroseconds * 1000);

    private async Task WaitUntilSteadyAsync(CancellationToken interrupted)
    {
        long latest = _start + Nanoseconds(plan.MaxWarmup);
        var rate = new SteadyRate();
        while (!rate.IsSteady && _clock.Nanoseconds < latest && !scenario.Finished.IsCompleted && !interrupted.IsCancellationRequested)
        {
            (long began, long received) = (_clock.Nanoseconds, scenario.Read().Received);
            long until = Math.Min(began + Nanoseconds(TimeSpan.FromSeconds(1)), latest);
            await WaitAsync(RunPhase.Warmup, _start, plan.MaxWarmup, until, scenario.Finished, interrupted);
            rate.Add((scenario.Read().Received - received) / (double)(_clock.Nanoseconds - began));
        }
    }

    private async Task WaitAsync(
        RunPhase phase, long began, TimeSpan length, long until, Task finished, CancellationToken interrupted)
    {
        while (!finished.IsCompleted && !interrupted.IsCancellationRequested)
        {
            long now = _clock.Nanoseconds;
            if (now >= until)
            {
                return;
            }

            TimeSpan left = TimeSpan.FromMicroseconds((until - now) / 1000d);
            using var tick = CancellationTokenSource.CreateLinkedTokenSource(interrupted);
            await Task.WhenAny(finished, Task.Delay(left < s_tick ? left : s_tick, tick.Token));
            await tick.CancelAsync();
            Tick(phase, TimeSpan.FromMicroseconds((_clock.Nanoseconds - began) / 1000d), length);
        }
    }

    private void Tick(RunPhase phase, TimeSpan elapsed, TimeSpan length)
    {
        Mark mark = TakeMark();
        if (mark.Nanoseconds > _lastTick.Nanoseconds)
        {
            Show(phase, elapsed, length, Between(_lastTick, mark, phase, server: null));
            _lastTick = mark;
        }

        if (phase != RunPhase.Drain)
        {
            AddRow(phase, mark, plan.Interval);
        }
    }

    private void Show(RunPhase phase, TimeSpan elapsed, TimeSpan length, IntervalFigures now)
    {
        if (phase != _phase)
        {
            _phase = phase;
            string most = phase == RunPhase.Drain ? " at most" : string.Empty;
            view.Say($"{phase}: {length.TotalSeconds:0.#} s{most}.");
        }

        double left = Math.Max(0, (length - elapsed).TotalSeconds);
        string faults = now.Faults > 0 ? $"  {now.Faults} faults" : string.Empty;
        view.Status($"{phase.ToString().ToLowerInvariant()}  {left:0} s left  {now.ReceivedPerSecond:N0}/s  p99 "
            + $"{now.Latency.P99Microseconds / 1000:N1} ms{faults}");
    }

    // A remainder shorter than that has no row of its own.
    private void AddRow(RunPhase phase, Mark mark, TimeSpan least)
    {
        if (mark.Nanoseconds - _lastRow.Nanoseconds >= Nanoseconds(least))
        {
            IntervalFigures row = Between(_lastRow, mark, phase, kpis?.Between(_lastRow.Kpi, mark.Kpi));
            _lastRow = mark;
            _rows.Add(row);
            view.Interval(row);
        }
    }

    private Mark TakeMark() => new(_clock.Nanoseconds, scenario.Read(), kpis?.ReadNew());

    private IntervalFigures Between(Mark earlier, Mark later, RunPhase phase, ServerFigures? server)
    {
        var latency = new LatencyHistogram();
        latency.Add(later.Figures.Latency);
        latency.Subtract(earlier.Figures.Latency);
        double seconds = (later.Nanoseconds - earlier.Nanoseconds) / 1e9;
        return new IntervalFigures(
            phase,
            (later.Nanoseconds - _start) / 1e9,
            (later.Figures.Sent - earlier.Figures.Sent) / seconds,
            (later.Figures.Received - earlier.Figures.Received) / seconds,
            latency.Summarize(),
            later.Figures.Faults,
            server)
        {
            Connections = later.Figures.Connections,
        };
    }

    private sealed record Mark(long Nanoseconds, LiveFigures Figures, KpiSnapshot? Kpi);
}

/// <summary>Says when a rate has stopped rising, which is when the runtime has compiled the hot code. Not thread-safe.</summary>
internal sealed class SteadyRate
{
    // A rate varies by some percent from second to second; a step of the compiler brings much more.
    private const double Rise = 1.05;

    // One second without a rise may be the pause before the next step of the compiler.
    private const int SecondsWithoutRise = 2;

    private double _best;
    private int _without;

    /// <summary>Whether the last two seconds were hardly faster than the best second before them.</summary>
    public bool IsSteady => _without >= SecondsWithoutRise;

    public void Add(double rate)
    {
        _without = rate > _best * Rise ? 0 : _without + 1;
        _best = Math.Max(_best, rate);
    }
}
