using System.CommandLine;
using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Experiments.Stream;

namespace PlayChat.Benchmark.Cli;

/// <summary>The command <c>stream</c>.</summary>
internal sealed class StreamCommand
{
    private readonly ExperimentOptions _options = new();
    private readonly QuickOption _quick = new();
    private readonly Option<int?> _ccu = new("--ccu") { Description = "Connections.", HelpName = "N" };
    private readonly Option<int?> _inflight = new("--inflight") { Description = "Frames outstanding on each connection.", HelpName = "N" };

    private readonly Option<int[]> _sizes = new("--sizes")
    {
        Description = "Bytes of a body, each a case.",
        AllowMultipleArgumentsPerToken = true,
        DefaultValueFactory = _ => [],
        HelpName = "BYTES…",
    };

    private readonly Option<double?> _warmup = new("--warmup") { Description = "Load that does not count.", HelpName = "SECONDS" };
    private readonly Option<double?> _duration = new("--duration") { Description = "How long is measured.", HelpName = "SECONDS" };
    private readonly Option<double?> _drain = new("--drain-timeout") { Description = "How long what is unanswered at the end is waited for.", HelpName = "SECONDS" };
    private readonly Option<int?> _connectConcurrency = new("--connect-concurrency") { Description = "Connections that are being made at one time.", HelpName = "N" };
    private readonly Option<int?> _backlog = new("--backlog") { Description = "The server's.", HelpName = "N" };
    private readonly Option<int?> _sample = new("--sample") { Description = "One latency in so many is taken.", HelpName = "N" };

    /// <summary>Makes the command.</summary>
    /// <param name="run">Runs what the options describe, and gives the exit code.</param>
    public Command Create(Func<ExperimentPlan, CancellationToken, Task<int>> run)
    {
        var command = new Command(StreamExperiment.Name, "Experiment: frames of several sizes, a window of them on each of many connections.")
        {
            _ccu, _inflight, _sizes, _warmup, _duration, _drain, _connectConcurrency, _backlog, _sample,
        };
        _quick.AddTo(command);
        _options.AddTo(command);
        command.SetAction((result, token) => run(Read(result), token));
        return command;
    }

    private ExperimentPlan Read(ParseResult result)
    {
        StreamParameters preset = _quick.Read(result) ? StreamParameters.Quick : StreamParameters.Full;
        int[] sizes = result.GetValue(_sizes)!;
        StreamParameters parameters = preset with
        {
            Ccu = result.GetValue(_ccu) ?? preset.Ccu,
            // Who says how many connections there are has so many.
            FewerConnectionsOver = result.GetValue(_ccu) is null ? preset.FewerConnectionsOver : long.MaxValue,
            Inflight = result.GetValue(_inflight) ?? preset.Inflight,
            Sizes = sizes.Length > 0 ? sizes : preset.Sizes,
            BaselineSizes = sizes.Length > 0 ? sizes : preset.BaselineSizes,
            Warmup = result.GetValue(_warmup) ?? preset.Warmup,
            Duration = result.GetValue(_duration) ?? preset.Duration,
            DrainTimeout = result.GetValue(_drain) ?? preset.DrainTimeout,
            ConnectConcurrency = result.GetValue(_connectConcurrency) ?? preset.ConnectConcurrency,
            Backlog = result.GetValue(_backlog) ?? preset.Backlog,
            SampleEvery = result.GetValue(_sample) ?? preset.SampleEvery,
        };
        LoadOptions.Require(parameters.Ccu >= 1, "--ccu", parameters.Ccu, "1 or more");
        LoadOptions.Require(parameters.Inflight >= 1, "--inflight", parameters.Inflight, "1 or more");
        LoadOptions.Require(parameters.Sizes.All(static size => size is >= 1 and <= 65_536), "--sizes", parameters.Sizes.FirstOrDefault(static size => size is < 1 or > 65_536), "1 to 65536");
        LoadOptions.Require(parameters.Backlog is >= 1 and <= 65_535, "--backlog", parameters.Backlog, "1 to 65535");
        ExperimentPlans.Check(parameters.Ccu, parameters.ConnectConcurrency, parameters.Warmup, parameters.Duration, parameters.DrainTimeout, parameters.SampleEvery);
        ExperimentSettings settings = _options.Read(result);
        return new ExperimentPlan([StreamExperiment.Create(parameters, settings)], settings);
    }
}
