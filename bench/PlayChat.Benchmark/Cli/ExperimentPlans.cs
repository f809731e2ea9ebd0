using PlayChat.Benchmark.Run;

namespace PlayChat.Benchmark.Cli;

/// <summary>What an experiment's runs would say no to, one after the other, is said once and before.</summary>
internal static class ExperimentPlans
{
    private const double MaxSeconds = 86_400;

    /// <exception cref="UsageException">It cannot be.</exception>
    public static void Check(int connections, int connectConcurrency, double warmup, double duration, double drainTimeout, int sampleEvery)
    {
        LoadOptions.Require(connectConcurrency >= 1, "--connect-concurrency", connectConcurrency, "1 or more");
        LoadOptions.Require(warmup is >= 0 and <= MaxSeconds, "--warmup", warmup, $"0 to {MaxSeconds} seconds");
        LoadOptions.Require(duration is >= 0.1 and <= MaxSeconds, "--duration", duration, $"0.1 to {MaxSeconds} seconds");
        LoadOptions.Require(drainTimeout is >= 0 and <= MaxSeconds, "--drain-timeout", drainTimeout, $"0 to {MaxSeconds} seconds");
        LoadOptions.Require(sampleEvery >= 1, "--sample", sampleEvery, "1 or more");
        SystemLimits.Check(connections, connectConcurrency);
    }
}
