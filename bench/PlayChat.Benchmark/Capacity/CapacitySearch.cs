namespace PlayChat.Benchmark.Capacity;

/// <summary>Finds the highest rate that holds: doubles until one does not, then halves the ratio between the two until they are close.</summary>
/// <param name="measure">Runs a step at a rate.</param>
/// <param name="precision">How close: 0.1 ends when what did not hold is at most a tenth above what did.</param>
/// <param name="maxSteps">The most that are run.</param>
internal sealed class CapacitySearch(Func<double, Task<CapacityStep>> measure, double precision, int maxSteps)
{
    // Below a sixteenth of the first rate there is nothing to be found.
    private const double LowestShare = 1.0 / 16;

    private readonly List<CapacityStep> _steps = [];

    /// <summary>What was run, in this order.</summary>
    public IReadOnlyList<CapacityStep> Steps => _steps;

    /// <summary>The step with the most deliveries a second of those that held.</summary>
    public CapacityStep? Best => _steps.Where(static step => step.Held).MaxBy(static step => step.DeliveriesPerSecond);

    /// <summary>Searches.</summary>
    /// <param name="first">The first rate.</param>
    public async Task RunAsync(double first)
    {
        double held = 0;
        double failed = double.PositiveInfinity;
        double rate = first;
        while (_steps.Count < maxSteps && rate >= first * LowestShare && failed > held * (1 + precision))
        {
            if (await HoldsAsync(rate))
            {
                held = rate;
            }
            else
            {
                failed = rate;
            }

            rate = double.IsInfinity(failed) ? held * 2
                : held == 0 ? failed / 2
                : Math.Sqrt(held * failed);
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
