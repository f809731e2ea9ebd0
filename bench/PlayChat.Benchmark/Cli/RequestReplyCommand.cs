using System.CommandLine;
using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Experiments.RequestReply;

namespace PlayChat.Benchmark.Cli;

/// <summary>The command <c>request-reply</c>.</summary>
internal sealed class RequestReplyCommand() : ExperimentCommand(
    RequestReplyExperiment.Name, "Experiment: requests and answers, with and without correlation.")
{
    // Request ids of 16 bits, but for those of the login and of one-way packets.
    private const int MaxInflight = 65_534;

    private readonly Option<int?> _ccu = new("--ccu")
    {
        Description = "Connections of all sizes, instead of the preset's cases.",
        HelpName = "N",
    };
    private readonly Option<int?> _inflight = new("--inflight")
    {
        Description = "Requests outstanding on each connection, with --ccu or --sizes.",
        HelpName = "N",
    };

    private readonly Option<int[]> _sizes = Numbers("--sizes", "Bytes of a request's payload, each a case.", "BYTES…");

    private readonly Option<double?> _warmup = Seconds("--warmup", "Load that does not count.");
    private readonly Option<double?> _duration = Seconds("--duration", "How long is measured.");
    private readonly Option<double?> _drain = Seconds("--drain-timeout", "How long what is unanswered at the end is waited for.");

    /// <inheritdoc/>
    protected override IReadOnlyList<Option> Options => [_ccu, _inflight, _sizes, _warmup, _duration, _drain];

    /// <inheritdoc/>
    protected override Experiment Read(ParseResult result, bool quick, ExperimentSettings settings)
    {
        RequestReplyParameters preset = quick ? RequestReplyParameters.Quick : RequestReplyParameters.Full;
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

        ExperimentPlans.Check(
            parameters.Cases.Max(static load => load.Ccu), 1, parameters.Warmup, parameters.Duration, parameters.DrainTimeout, 1);
        return RequestReplyExperiment.Create(parameters, settings);
    }

    private RequestReplyCase[]? Cases(ParseResult result)
    {
        int[] sizes = result.GetValue(_sizes)!;
        int? ccu = result.GetValue(_ccu);
        int? inflight = result.GetValue(_inflight);
        return sizes.Length == 0 && ccu is null && inflight is null
            ? null
            : (sizes.Length == 0 ? [8, 64, 256, 1024] : sizes)
                .Select(size => new RequestReplyCase(ccu ?? 1000, inflight ?? 200, size))
                .ToArray();
    }
}
