namespace PlayChat.Benchmark.Capacity;

/// <summary>Finds the highest rate that holds: doubles until one does not, then halves the ratio of the two until they are close.</summary>
/// <param name="precision">How close: 0.1 ends when what did not hold is at most a tenth above what did.</param>
internal sealed class CapacitySearch(double precision, int maxSteps)
{
    // Below a sixteenth of the first rate there is nothing to be found.
    private const double LowestShare = 1.0 / 16;

    private readonly List<CapacityStep> _steps = [];
    private CapacityStep? _failed; // the lowest rate's that did not hold

    public IReadOnlyList<CapacityStep> Steps => _steps;

    /// <summary>The step with the most deliveries a second of those that held.</summary>
    public CapacityStep? Best => _steps.Where(static step => step.Held).MaxBy(static step => step.DeliveriesPerSecond);

    /// <summary>Whether the lowest rate that failed is close enough to the highest that held.</summary>
    public bool Converged { get; private set; }

    /// <summary>What limited the rate: <see cref="CapacityStep.Limit"/> of the lowest that failed; <c>steps</c>: they ran out.</summary>
    public string? LimitedBy =>
        !Converged && _steps.Count == maxSteps ? "steps" : _failed?.Limit;

    public async Task RunAsync(double first, Func<double, Task<CapacityStep>> measure)
    {
        double held = 0;
        double failed = double.PositiveInfinity;
        double rate = first;
        while (_steps.Count < maxSteps && rate >= first * LowestShare && !Converged)
        {
            if (await HoldsAsync(rate, measure))
            {
                held = rate;
            }
            else
            {
                failed = rate;
                _failed = _steps[^1];
            }

            rate = double.IsInfinity(failed) ? held * 2
                : held == 0 ? failed / 2
                : Math.Sqrt(held * failed);
            Converged = failed <= held * (1 + precision);
        }
    }

    // A step that does not hold is tried once more: something else on the machine is enough to spoil one.
    private async Task<bool> HoldsAsync(double rate, Func<double, Task<CapacityStep>> measure)
    {
        for (int i = 0; i < 2; i++)
        {
            CapacityStep step = await measure(rate);
            _steps.Add(step);
            if (step.Held || _steps.Count == maxSteps)
            {
                return step.Held;
            }
        }

        return false;
    }
}

/// <summary>One step of a search: a rate, and what came of it.</summary>
/// <param name="P99Microseconds">From planned sending to each receiver.</param>
/// <param name="LagMicroseconds">The p99 of planned to real sending.</param>
/// <param name="Limit">What failed, as the report has it: p99, lost, faults or load_behind; <see langword="null"/>: it held.</param>
internal sealed record CapacityStep(
    double Rate, double DeliveriesPerSecond, double P99Microseconds, double LagMicroseconds, long Lost, string? Limit, string? WhyNot)
{
    public bool Held => Limit is null;

    /// <summary>Reads a step from the figures of a fan-out load.</summary>
    public static CapacityStep Of(double rate, JsonObject report, TimeSpan limit)
    {
        double p99 = (double)report["latency_us"]!["p99"]!;
        double lag = (double)report["send_lag_us"]!["p99"]!;
        long lost = (long)report["lost"]!;
        long wrong = (long)report["duplicated"]! + (long)report["reordered"]! + (long)report["corrupted"]! + (long)report["errors"]!;
        (string? what, string? whyNot) =
            lost > 0 ? ("lost", $"{lost} lost")
            : wrong > 0 ? ("faults", $"{wrong} faults")
            : (bool)report["drain_timeout"]! ? ("lost", "not all had come when the drain ended")
            : report["invalid_because"]?.GetValue<string>() is { } invalid ? ("load_behind", invalid)
            : p99 > limit.TotalMicroseconds
            ? ("p99", $"p99 {p99 / 1000:0.#} ms is over {limit.TotalMilliseconds:0.###} ms")
            : ((string?)null, (string?)null);
        return new CapacityStep(rate, (double)report["deliveries_per_s"]!, p99, lag, lost, what, whyNot);
    }

    public JsonObject ToJson(int clients) => new()
    {
        ["rps"] = JsonFigures.Round(Rate),
        ["offered_messages_per_s"] = JsonFigures.Round(Rate * clients),
        ["deliveries_per_s"] = JsonFigures.Round(DeliveriesPerSecond),
        ["p99_us"] = JsonFigures.Round(P99Microseconds),
        ["send_lag_p99_us"] = JsonFigures.Round(LagMicroseconds),
        ["lost"] = Lost,
        ["held"] = Held,
        ["limit"] = Limit,
        ["why_not"] = WhyNot,
    };
}
