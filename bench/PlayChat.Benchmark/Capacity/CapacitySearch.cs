namespace PlayChat.Benchmark.Capacity;

/// <summary>
/// Finds the highest rate that holds: doubles until one does not, then halves the ratio between the two until they are close.
/// </summary>
/// <param name="measure">Runs a step at a rate.</param>
/// <param name="precision">How close: 0.1 ends when what did not hold is at most a tenth above what did.</param>
/// <param name="maxSteps">The most that are run.</param>
internal sealed class CapacitySearch(Func<double, Task<CapacityStep>> measure, double precision, int maxSteps)
{
    // Below a sixteenth of the first rate there is nothing to be found.
    private const double LowestShare = 1.0 / 16;

    private readonly List<CapacityStep> _steps = [];
    private CapacityStep? _failed; // the lowest rate's that did not hold

    /// <summary>What was run, in this order.</summary>
    public IReadOnlyList<CapacityStep> Steps => _steps;

    /// <summary>The step with the most deliveries a second of those that held.</summary>
    public CapacityStep? Best => _steps.Where(static step => step.Held).MaxBy(static step => step.DeliveriesPerSecond);

    /// <summary>Whether the lowest rate that failed is close enough to the highest that held.</summary>
    public bool Converged { get; private set; }

    /// <summary>
    /// What the highest rate was limited by: <see cref="CapacityStep.Limit"/> of the lowest that did not hold, or <c>steps</c> when the
    /// search ended before it was close.
    /// </summary>
    public string? LimitedBy =>
        !Converged && _steps.Count == maxSteps ? "steps" : _failed?.Limit;

    /// <summary>Searches.</summary>
    /// <param name="first">The first rate.</param>
    public async Task RunAsync(double first)
    {
        double held = 0;
        double failed = double.PositiveInfinity;
        double rate = first;
        while (_steps.Count < maxSteps && rate >= first * LowestShare && !Converged)
        {
            if (await HoldsAsync(rate))
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
    private async Task<bool> HoldsAsync(double rate)
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
