namespace PlayChat.Benchmark.Chat;

/// <summary>When which client sends: each at a fixed rate, with a phase of its own that is drawn once. The same seed makes the same plan.</summary>
/// <remarks>
/// All have the same period, so in the order of their phases they take turns for ever: the k-th message of the run is that of client
/// k mod clients in this order, in period k div clients. There is nothing to schedule.
/// </remarks>
internal sealed class PacingPlan
{
    private readonly int[] _clients; // by phase
    private readonly double[] _phases; // nanoseconds
    private readonly double _period;

    /// <param name="clients">How many clients send.</param>
    /// <param name="messagesPerSecond">Of each client, more than 0.</param>
    /// <param name="seed">Makes the phases.</param>
    public PacingPlan(int clients, double messagesPerSecond, int seed)
    {
        _period = 1e9 / messagesPerSecond;
        var random = new Random(seed);
        _clients = Enumerable.Range(0, clients).ToArray();
        _phases = _clients.Select(_ => random.NextDouble() * _period).ToArray();
        Array.Sort(_phases, _clients);
    }

    /// <summary>Who sends the run's k-th message, and how long after the start of the load that is to be.</summary>
    public (int Client, long Nanoseconds) this[long k]
    {
        get
        {
            (long period, long turn) = Math.DivRem(k, _clients.Length);
            return (_clients[turn], (long)(_phases[turn] + (period * _period)));
        }
    }
}
