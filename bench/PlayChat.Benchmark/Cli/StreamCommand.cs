using System.CommandLine;
using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Experiments.Stream;

namespace PlayChat.Benchmark.Cli;

/// <summary>The command <c>stream</c>.</summary>
internal sealed class StreamCommand() : ExperimentCommand(
    StreamExperiment.Name, "Experiment: frames of several sizes, with a window of them on each of many connections.")
{
    private readonly Option<int?> _ccu = new("--ccu") { Description = "Connections.", HelpName = "N" };
    private readonly Option<int?> _inflight = new("--inflight") { Description = "Frames outstanding on each connection.", HelpName = "N" };

    private readonly Option<int[]> _sizes = Numbers("--sizes", "Bytes of a body, each a case.", "BYTES…");

    private readonly Option<int[]> _threads = Numbers(
        "--threads",
        "Numbers of threads of server and load, each a case with the first size; the report says which was best. 0 leaves them out.",
        "N…");

    private readonly Option<double?> _warmup = Seconds("--warmup", "Load that is not counted.");
    private readonly Option<double?> _duration = Seconds("--duration", "Length of the measurement.");
    private readonly Option<double?> _drain = Seconds("--drain-timeout", "How long to wait for answers that are outstanding at the end.");
    private readonly Option<int?> _connectConcurrency = new("--connect-concurrency")
    {
        Description = "Connections being made at one time.",
        HelpName = "N",
    };

    private readonly Option<int?> _backlog = new("--backlog") { Description = "The server's backlog.", HelpName = "N" };
    private readonly Option<int?> _sample = new("--sample") { Description = "Time one round trip in this many.", HelpName = "N" };

    /// <inheritdoc/>
    protected override IReadOnlyList<Option> Options =>
        [_ccu, _inflight, _sizes, _threads, _warmup, _duration, _drain, _connectConcurrency, _backlog, _sample];

    /// <inheritdoc/>
    protected override Experiment Read(ParseResult result, bool quick, ExperimentSettings settings)
    {
        StreamParameters preset = quick ? StreamParameters.Quick : StreamParameters.Full;
        int[] sizes = result.GetValue(_sizes)!;
        int[] threads = result.GetValue(_threads)!;
        StreamParameters parameters = preset with
        {
            Ccu = result.GetValue(_ccu) ?? preset.Ccu,
            // An explicit number of connections is never reduced.
            FewerConnectionsOver = result.GetValue(_ccu) is null ? preset.FewerConnectionsOver : long.MaxValue,
            Inflight = result.GetValue(_inflight) ?? preset.Inflight,
            Sizes = sizes.Length > 0 ? sizes : preset.Sizes,
            BaselineSizes = sizes.Length > 0 ? sizes : preset.BaselineSizes,
            Threads = threads switch
            {
                [] => preset.Threads,
                [0] => [],
                _ => threads,
            },
            Warmup = result.GetValue(_warmup) ?? preset.Warmup,
            Duration = result.GetValue(_duration) ?? preset.Duration,
            DrainTimeout = result.GetValue(_drain) ?? preset.DrainTimeout,
            ConnectConcurrency = result.GetValue(_connectConcurrency) ?? preset.ConnectConcurrency,
            Backlog = result.GetValue(_backlog) ?? preset.Backlog,
            SampleEvery = result.GetValue(_sample) ?? preset.SampleEvery,
        };
        LoadOptions.Require(parameters.Ccu >= 1, "--ccu", parameters.Ccu, "1 or more");
        LoadOptions.Require(parameters.Inflight >= 1, "--inflight", parameters.Inflight, "1 or more");
        LoadOptions.Require(
            parameters.Sizes.All(static size => size is >= 1 and <= 65_536),
            "--sizes",
            parameters.Sizes.FirstOrDefault(static size => size is < 1 or > 65_536),
            "1 to 65536");
        LoadOptions.Require(
            parameters.Threads.All(static threads => threads is >= 1 and <= 1024),
            "--threads",
            parameters.Threads.FirstOrDefault(static threads => threads is < 1 or > 1024),
            "1 to 1024");
        LoadOptions.Require(parameters.Backlog is >= 1 and <= 65_535, "--backlog", parameters.Backlog, "1 to 65535");
        ExperimentPlans.Check(
            parameters.Ccu,
            parameters.ConnectConcurrency,
            parameters.Warmup,
            parameters.Duration,
            parameters.DrainTimeout,
            parameters.SampleEvery);
        return StreamExperiment.Create(parameters, settings);
    }
}
