namespace PlayChat.Benchmark.Capacity;

/// <summary>
/// Chat at rising rates, each a run of its own with players and rooms of its own on the same server: it is compiled and warm after the
/// first, as a server is in use, and nothing of a step that was too much is left when its players have gone.
/// </summary>
internal sealed class CapacityScenario(CapacitySettings settings, ITransport? transport = null) : IScenario
{
    private readonly CapacitySearch _search = new(settings.Precision, settings.MaxSteps);
    private readonly FaultLog _faults = new();
    private readonly CancellationTokenSource _stop = new();
    private readonly TaskCompletionSource _finished = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly object _gate = new();
    private LiveFigures _before = Nothing(); // guarded by _gate: of the steps that are over
    private ChatScenario? _now; // guarded by _gate
    private ServerAddress _server = null!; // set when connected

    public string Name => "capacity";

    public Task Finished => _finished.Task;

    public IReadOnlyList<string> Faults => _faults.Texts;

    /// <summary>Only sees whether there is a server: each step connects players of its own.</summary>
    public async Task ConnectAsync(ServerAddress server, Action<int> connected, CancellationToken cancellationToken)
    {
        _server = server;
        await StalledReader.ProbeAsync(server, cancellationToken);
    }

    public void Start(RunClock clock, MeasureWindow window) => _ = Task.Run(SearchAsync);

    public async Task<bool> DrainAsync(TimeSpan timeout)
    {
        await _stop.CancelAsync();
        await _finished.Task;
        return true;
    }

    // The sums must never fall, so a step that ends is taken over in one go.
    public LiveFigures Read()
    {
        lock (_gate)
        {
            return _now is null ? Sum(_before, Nothing()) : Sum(_before, _now.Read()); // a copy, because the reader owns it
        }
    }

    public bool Write(JsonObject report, RunOutcome outcome)
    {
        settings.Chat.Write(report);
        report["p99_limit_ms"] = JsonFigures.Round(settings.Limit.TotalMilliseconds);
        report["precision"] = settings.Precision;
        report["step_warmup_s"] = JsonFigures.Round(settings.Step.Warmup.TotalSeconds);
        report["step_duration_s"] = JsonFigures.Round(settings.Step.Duration.TotalSeconds);
        CapacityStep? best = _search.Best;
        report["rps"] = JsonFigures.Round(best?.Rate);
        report["deliveries_per_s"] = JsonFigures.Round(best?.DeliveriesPerSecond);
        report["p99_at_capacity_us"] = JsonFigures.Round(best?.P99Microseconds);
        report["lost"] = best?.Lost; // what a step that was too much has lost is what was searched for
        report["limited_by"] = outcome.Interrupted ? null : _search.LimitedBy;
        report["converged"] = _search.Converged;
        report["errors"] = _faults.Count;
        report["steps"] = new JsonArray(_search.Steps.Select(step => (JsonNode)step.ToJson(settings.Chat.Clients)).ToArray());
        return (best is not null || outcome.Interrupted) && _faults.Count == 0;
    }

    public ValueTask DisposeAsync()
    {
        _stop.Dispose();
        return ValueTask.CompletedTask;
    }

    private static LiveFigures Nothing() => new(0, 0, 0, new LatencyHistogram());

    private static LiveFigures Sum(LiveFigures a, LiveFigures b)
    {
        var latency = new LatencyHistogram();
        latency.Add(a.Latency);
        latency.Add(b.Latency);
        return new LiveFigures(a.Sent + b.Sent, a.Received + b.Received, a.Faults + b.Faults, latency);
    }

    private async Task SearchAsync()
    {
        try
        {
            await _search.RunAsync(settings.Chat.MessagesPerSecond, MeasureAsync);
        }
        catch (OperationCanceledException)
        {
            // Ended early: what was found until then is the result.
        }
        catch (Exception e) when (e is UsageException or RunFailedException)
        {
            _faults.Add(e.Message);
        }
        catch (Exception e)
        {
            _finished.SetException(e); // a fault of ours: the run reports it
        }
        finally
        {
            _finished.TrySetResult();
        }
    }

    private async Task<CapacityStep> MeasureAsync(double rate)
    {
        _stop.Token.ThrowIfCancellationRequested();
        await using var scenario = new ChatScenario(settings.Chat with { MessagesPerSecond = rate }, transport);
        lock (_gate)
        {
            _now = scenario;
        }

        try
        {
            RunOutcome outcome = await new ScenarioRunner(scenario, settings.Step, new View(TextWriter.Null), kpis: null)
                .RunAsync(_server, settings.Chat.Connections, _stop.Token);
            _stop.Token.ThrowIfCancellationRequested();
            var report = new JsonObject();
            scenario.Write(report, outcome);
            return CapacityStep.Of(rate, report, settings.Limit);
        }
        finally
        {
            lock (_gate)
            {
                _before = Sum(_before, scenario.Read());
                _now = null;
            }
        }
    }
}

/// <param name="Chat">The load; its rate is the first.</param>
/// <param name="Precision">How close the search goes: 0.1 is a tenth.</param>
internal sealed record CapacitySettings(FanoutSettings Chat, RunPlan Step, TimeSpan Limit, double Precision, int MaxSteps);
