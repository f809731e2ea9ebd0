namespace PlayChat.Benchmark.Run;

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

    /// <summary>Adds the rate of the next second.</summary>
    public void Add(double rate)
    {
        _without = rate > _best * Rise ? 0 : _without + 1;
        _best = Math.Max(_best, rate);
    }
}
