using System.CommandLine;
using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Experiments.RequestReply;

namespace PlayChat.Benchmark.Cli;

/// <summary>The command <c>request-reply</c>.</summary>
internal sealed class RequestReplyCommand
{
    // Request ids of 16 bits, but for those of the login and of one-way packets.
    private const int MaxInflight = 65_534;

    private readonly ExperimentOptions _options = new();
    private readonly QuickOption _quick = new();
    private readonly Option<int?> _ccu = new("--ccu") { Description = "Connections: of all sizes, in place of the preset's cases.", HelpName = "N" };
    private readonly Option<int?> _inflight = new("--inflight") { Description = "Requests outstanding on each connection, with --ccu or --sizes.", HelpName = "N" };

    private readonly Option<int[]> _sizes = new("--sizes")
    {
        Description = "Bytes of a request's payload, each a case.",
        AllowMultipleArgumentsPerToken = true,
        DefaultValueFactory = _ => [],
        HelpName = "BYTES…",
    };

    private readonly Option<double?> _warmup = new("--warmup") { Description = "Load that does not count.", HelpName = "SECONDS" };
    private readonly Option<double?> _duration = new("--duration") { Description = "How long is measured.", HelpName = "SECONDS" };
    private readonly Option<double?> _drain = new("--drain-timeout") { Description = "How long what is unanswered at the end is waited for.", HelpName = "SECONDS" };

    /// <summary>Makes the command.</summary>
    /// <param name="run">Runs what the options describe, and gives the exit code.</param>
    public Command Create(Func<ExperimentPlan, CancellationToken, Task<int>> run)
    {
        var command = new Command(RequestReplyExperiment.Name, "Experiment: requests and answers, with and without correlation.")
        {
            _ccu, _inflight, _sizes, _warmup, _duration, _drain,
        };
        _quick.AddTo(command);
        _options.AddTo(command);
        command.SetAction((result, token) => run(Read(result), token));
        return command;
    }

    private ExperimentPlan Read(ParseResult result)
    {
        RequestReplyParameters preset = _quick.Read(result) ? RequestReplyParameters.Quick : RequestReplyParameters.Full;
        RequestReplyParameters parameters = preset with
        {
            Cases = Cases(result) ?? preset.Cases,
            Warmup = result.GetValue(_warmup) ?? preset.Warmup,
            Duration = result.GetValue(_duration) ?? preset.Duration,
            DrainTimeout = result.GetValue(_drain) ?? preset.DrainTimeout,
        };
        foreach (RequestReplyCase load in parameters.Cases)
        {
            LoadOptions.Require(load.Ccu >= 1, "--ccu", load.Ccu, "1 or more");
            LoadOptions.Require(load.Inflight is >= 1 and <= MaxInflight, "--inflight", load.Inflight, $"1 to {MaxInflight}");
            LoadOptions.Require(load.Size is >= 1 and <= 65_528, "--sizes", load.Size, "1 to 65528");
        }

        ExperimentPlans.Check(parameters.Cases.Max(static load => load.Ccu), 1, parameters.Warmup, parameters.Duration, parameters.DrainTimeout, 1);
        ExperimentSettings settings = _options.Read(result);
        return new ExperimentPlan([RequestReplyExperiment.Create(parameters, settings)], settings);
    }

    private RequestReplyCase[]? Cases(ParseResult result)
    {
        int[] sizes = result.GetValue(_sizes)!;
        int? ccu = result.GetValue(_ccu);
        int? inflight = result.GetValue(_inflight);
        return sizes.Length == 0 && ccu is null && inflight is null
            ? null
            : (sizes.Length == 0 ? [8, 64, 256, 1024] : sizes).Select(size => new RequestReplyCase(ccu ?? 1000, inflight ?? 200, size)).ToArray();
    }
}
