namespace PlayChat.Benchmark.Pacing;

/// <summary>The times at which each client sends: at a fixed rate, with a random phase. The same seed makes the same plan.</summary>
/// <remarks>
/// All clients have the same period, so they take turns in the order of their phases: the k-th message of the run is that of client
/// k mod clients in this order, in period k div clients. No queue of times is needed.
/// </remarks>
internal sealed class PacingPlan
{
    private readonly int[] _clients; // by phase
    private readonly double[] _phases; // nanoseconds
    private readonly double _period;

    /// <param name="messagesPerSecond">Messages per second of each client, more than 0.</param>
    public PacingPlan(int clients, double messagesPerSecond, int seed)
    {
        _period = 1e9 / messagesPerSecond;
        var random = new Random(seed);
        _clients = Enumerable.Range(0, clients).ToArray();
        _phases = _clients.Select(_ => random.NextDouble() * _period).ToArray();
        Array.Sort(_phases, _clients);
    }

    /// <summary>The client that sends the run's k-th message, and the time of that since the start of the load.</summary>
    public (int Client, long Nanoseconds) this[long k]
    {
        get
        {
            (long period, long turn) = Math.DivRem(k, _clients.Length);
            return (_clients[turn], (long)(_phases[turn] + (period * _period)));
        }
    }
}
