using PlayChat.Benchmark.Figures;
using PlayChat.Benchmark.Servers;
using PlayChat.Benchmark.Servers.Cluster;
using PlayChat.Kpi;

namespace PlayChat.Benchmark.Run;

/// <summary>Runs a scenario through its phases: connect, warm up, measure, drain.</summary>
internal sealed class ScenarioRunner(IScenario scenario, RunPlan plan, IRunView view, KpiFile? kpis)
{
    private static readonly TimeSpan s_tick = TimeSpan.FromMilliseconds(250);

    // An interrupted run ends soon: outstanding messages get this much time.
    private static readonly TimeSpan s_interruptedDrain = TimeSpan.FromSeconds(2);

    private readonly RunClock _clock = new();
    private readonly List<IntervalFigures> _rows = [];
    private long _start;
    private Mark _lastTick = null!; // set before the first phase
    private Mark _lastRow = null!;

    /// <summary>Reads the figures of the cluster that was started; <see langword="null"/> without one.</summary>
    public ClusterWatch? Cluster { get; init; }

    /// <summary>Runs all phases.</summary>
    /// <param name="server">The address of the server.</param>
    /// <param name="connections">The connections that the scenario makes, to show progress.</param>
    /// <param name="interrupted">Ends the measurement early; the result covers the time until then.</param>
    /// <exception cref="OperationCanceledException">The run was interrupted before the load began.</exception>
    public async Task<RunOutcome> RunAsync(ServerAddress server, int connections, CancellationToken interrupted)
    {
        await scenario.ConnectAsync(server, connected => view.Connecting(connected, connections), interrupted);
        _start = _clock.Nanoseconds;
        long measureStart = _start + Nanoseconds(plan.Warmup);
        bool waits = plan.MaxWarmup > plan.Warmup;
        MeasureWindow window = waits
            ? MeasureWindow.NotKnown()
            : new MeasureWindow(measureStart, measureStart + Nanoseconds(plan.Duration));
        _lastTick = _lastRow = TakeMark(_start);
        scenario.Start(_clock, window);

        await WaitAsync(RunPhase.Warmup, _start, waits ? plan.MaxWarmup : plan.Warmup, measureStart, scenario.Finished, interrupted);
        if (waits)
        {
            await WaitUntilSteadyAsync(interrupted);
            measureStart = _clock.Nanoseconds + Nanoseconds(s_tick);
            window.BeginAt(measureStart, measureStart + Nanoseconds(plan.Duration));
            await WaitAsync(RunPhase.Warmup, _start, plan.MaxWarmup, measureStart, scenario.Finished, interrupted);
        }

        Cluster?.Begin();
        var clientFirst = ProcessFigures.Read();
        await WaitAsync(
            RunPhase.Measure, _clock.Nanoseconds, plan.Duration, window.EndNanoseconds, scenario.Finished, interrupted);
        window.CutAt(_clock.Nanoseconds);
        var client = new ClientFigures(clientFirst, ProcessFigures.Read(), window.Seconds);
        Cluster?.End();
        AddRow(RunPhase.Measure);

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
            view.Tick(phase, elapsed, length, Between(_lastTick, mark, phase, server: null));
            _lastTick = mark;
        }

        if (phase != RunPhase.Drain && mark.Nanoseconds - _lastRow.Nanoseconds >= Nanoseconds(plan.Interval))
        {
            AddRow(phase, mark);
        }
    }

    private void AddRow(RunPhase phase)
    {
        Mark mark = TakeMark();

        // A remainder shorter than a tick has no row of its own.
        if (mark.Nanoseconds - _lastRow.Nanoseconds >= Nanoseconds(s_tick))
        {
            AddRow(phase, mark);
        }
    }

    private void AddRow(RunPhase phase, Mark mark)
    {
        IntervalFigures row = Between(_lastRow, mark, phase, kpis?.Between(_lastRow.Kpi, mark.Kpi)) with
        {
            Nodes = Cluster?.Between(_lastRow.Nodes, mark.Nodes) ?? [],
        };
        _lastRow = mark;
        _rows.Add(row);
        view.Interval(row);
    }

    private Mark TakeMark() => TakeMark(_clock.Nanoseconds);

    private Mark TakeMark(long at) => new(at, scenario.Read(), kpis?.ReadNew(), Cluster?.ReadNodes() ?? []);

    private IntervalFigures Between(Mark earlier, Mark later, RunPhase phase, ServerFigures? server) => IntervalFigures.Between(
        earlier.Figures,
        later.Figures,
        phase,
        (later.Nanoseconds - _start) / 1e9,
        (later.Nanoseconds - earlier.Nanoseconds) / 1e9,
        server);

    private sealed record Mark(long Nanoseconds, LiveFigures Figures, KpiSnapshot? Kpi, IReadOnlyList<KpiSnapshot?> Nodes);
}
