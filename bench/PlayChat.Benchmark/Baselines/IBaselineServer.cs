namespace PlayChat.Benchmark.Baselines;

/// <summary>A baseline server: listens on the loopback from its making until it is disposed, which ends its connections.</summary>
internal interface IBaselineServer : IAsyncDisposable
{
    /// <summary>Where it listens.</summary>
    int Port { get; }

    /// <summary>What it has counted.</summary>
    BaselineCounters Counters { get; }
}
