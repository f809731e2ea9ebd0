using System.CommandLine;
using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Experiments.ConnectionRamp;

namespace PlayChat.Benchmark.Cli;

/// <summary>The command <c>connection-ramp</c>.</summary>
internal sealed class ConnectionRampCommand() : ExperimentCommand(
    ConnectionRampExperiment.Name,
    "Experiment: connections that are added step by step and send little: accepted, CPU, memory per connection.")
{
    private readonly Option<int?> _connections = new("--connections")
    {
        Description = "Connections of every server (3000).",
        HelpName = "N",
    };

    private readonly Option<int[]> _more = Numbers("--more", "Higher numbers of connections, for PlayChat alone (5000 10000).", "N…");

    private readonly Option<int?> _ramp = new("--ramp") { Description = "Connections added per step (40).", HelpName = "N" };
    private readonly Option<string?> _interval = new("--ramp-interval")
    {
        Description = "Time between two steps, before --time-scale (10s).",
        HelpName = "TIME",
    };
    private readonly Option<double?> _scale = new("--time-scale")
    {
        Description = "Makes the ramp this many times as fast (1).",
        HelpName = "N",
    };
    private readonly Option<int?> _size = new("--size") { Description = "Payload of a message (50).", HelpName = "BYTES" };
    private readonly Option<string?> _every = new("--every")
    {
        Description = "Time between two messages of a connection (10s).",
        HelpName = "TIME",
    };
    private readonly Option<double?> _hold = Seconds("--hold", "Seconds that all are held.");

    /// <inheritdoc/>
    protected override IReadOnlyList<Option> Options => [_connections, _more, _ramp, _interval, _scale, _size, _every, _hold];

    /// <inheritdoc/>
    protected override Experiment Read(ParseResult result, bool quick, ExperimentSettings settings)
    {
        ConnectionRampParameters preset = quick ? ConnectionRampParameters.Quick : ConnectionRampParameters.Full;
        int[] more = result.GetValue(_more)!;
        ConnectionRampParameters parameters = preset with
        {
            Connections = result.GetValue(_connections) ?? preset.Connections,
            More = more.Length == 0 ? preset.More : more,
            Step = result.GetValue(_ramp) ?? preset.Step,
            StepInterval = Time(result, _interval) ?? preset.StepInterval,
            TimeScale = result.GetValue(_scale) ?? preset.TimeScale,
            Bytes = result.GetValue(_size) ?? preset.Bytes,
            Every = Time(result, _every) ?? preset.Every,
            Hold = result.GetValue(_hold) ?? preset.Hold,
        };
        LoadOptions.Require(parameters.Connections >= 1, "--connections", parameters.Connections, "1 or more");
        LoadOptions.Require(parameters.TimeScale > 0, "--time-scale", parameters.TimeScale, "more than 0");
        return ConnectionRampExperiment.Create(parameters, settings);
    }

    private static string? Time(ParseResult result, Option<string?> option) =>
        result.GetValue(option) is not { } text ? null : TimeText.Check(text, option.Name);
}
