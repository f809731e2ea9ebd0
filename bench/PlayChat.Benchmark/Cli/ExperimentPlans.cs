using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Failures;
using PlayChat.Benchmark.Machine;

namespace PlayChat.Benchmark.Cli;

/// <summary>Checks every run of a plan before the first one starts, so that invalid arguments are reported once.</summary>
internal static class ExperimentPlans
{
    private const double MaxSeconds = 86_400;

    /// <exception cref="UsageException">An option is invalid.</exception>
    public static void Check(int connections, int connectConcurrency, double warmup, double duration, double drainTimeout, int sampleEvery)
    {
        LoadOptions.Require(connectConcurrency >= 1, "--connect-concurrency", connectConcurrency, "1 or more");
        LoadOptions.Require(warmup is >= 0 and <= MaxSeconds, "--warmup", warmup, $"0 to {MaxSeconds} seconds");
        LoadOptions.Require(duration is >= 0.1 and <= MaxSeconds, "--duration", duration, $"0.1 to {MaxSeconds} seconds");
        LoadOptions.Require(drainTimeout is >= 0 and <= MaxSeconds, "--drain-timeout", drainTimeout, $"0 to {MaxSeconds} seconds");
        LoadOptions.Require(sampleEvery >= 1, "--sample", sampleEvery, "1 or more");
        SystemLimits.Check(connections, connectConcurrency);
    }

    /// <summary>Parses every run's command line as the run itself will, and checks the machine's limits for the largest run.</summary>
    /// <exception cref="UsageException">An option is invalid.</exception>
    public static async Task CheckAsync(ExperimentPlan plan)
    {
        var loads = new List<LoadRun>();
        foreach (ExperimentRun run in plan.Experiments.SelectMany(static experiment => experiment.Runs))
        {
            var errors = new StringWriter();
            string[] arguments = [.. ExperimentRunner.Arguments(run, plan.Settings)];
            int code = await BenchmarkProgram.RunAsync(arguments, TextWriter.Null, errors, (load, _) =>
            {
                loads.Add(load);
                return Task.FromResult(0);
            });
            if (code != 0)
            {
                throw new UsageException($"{run.Subject}, {run.Case}: {errors.ToString().Trim()}");
            }
        }

        SystemLimits.Check(loads.Max(static load => load.Connections), loads.Max(static load => load.ConnectAtOnce));
    }
}
