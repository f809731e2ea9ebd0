using System.CommandLine;
using PlayChat.Benchmark.Capacity;
using PlayChat.Benchmark.Chat;

namespace PlayChat.Benchmark.Cli;

/// <summary>The command <c>capacity</c>.</summary>
internal sealed class CapacityCommand
{
    // A step connects and drains as well.
    private static readonly TimeSpan s_besides = TimeSpan.FromSeconds(5);

    private readonly LoadOptions _load = new(warmup: 2, duration: 5);
    private readonly ChatCrowdOptions _crowd = new();
    private readonly FanoutOptions _fanout = new();

    private readonly Option<string> _limit = new("--p99-limit")
    {
        Description = "A rate holds when the p99 from planned sending to each receiver is at most this, nothing is lost, "
            + "and the load itself is not late.",
        DefaultValueFactory = _ => "50ms",
        HelpName = "TIME",
    };

    private readonly Option<double> _precision = new("--precision")
    {
        Description = "The search ends when the lowest rate that failed is at most this much above the highest that held; 0.1 is a tenth.",
        DefaultValueFactory = _ => 0.1,
        HelpName = "N",
    };

    private readonly Option<int> _maxSteps = new("--max-steps")
    {
        Description = "The search ends after this many steps.",
        DefaultValueFactory = _ => 30,
        HelpName = "N",
    };

    /// <summary>Makes the command.</summary>
    /// <param name="run">Runs what the options describe, and gives the exit code.</param>
    public Command Create(Func<LoadRun, CancellationToken, Task<int>> run)
    {
        var command = new Command(
            "capacity",
            "Searches the most deliveries per second that chat holds: doubles the rate until it fails, then narrows the limit down. "
            + "--warmup and --duration are per step.");
        _crowd.AddTo(command);
        command.Options.Add(_limit);
        command.Options.Add(_precision);
        command.Options.Add(_maxSteps);
        _fanout.AddTo(command);
        _load.AddTo(command);
        command.SetAction((result, token) => run(Read(result), token));
        return command;
    }

    private LoadRun Read(ParseResult result)
    {
        LoadTarget target = _load.Read(result);
        double precision = result.GetValue(_precision);
        LoadOptions.Require(precision is >= 0.01 and <= 1, "--precision", precision, "0.01 to 1");
        int maxSteps = result.GetValue(_maxSteps);
        LoadOptions.Require(maxSteps is >= 1 and <= 1000, "--max-steps", maxSteps, "1 to 1000");
        ChatSettings chat = _crowd.Read(result) with { Late = _fanout.Late(result), MaxLag = _fanout.MaxLag(result) };
        var settings = new CapacitySettings(chat, target.Plan, TimeText.Parse(result.GetValue(_limit)!, _limit.Name), precision, maxSteps);
        TimeSpan longest = maxSteps * (target.Plan.Warmup + target.Plan.Duration + s_besides);
        return new LoadRun(
            target with { Plan = target.Plan with { Warmup = TimeSpan.Zero, Duration = longest } },
            chat.Connections,
            ChatCrowdOptions.Server(chat, target),
            _ => new CapacityScenario(settings, target.Transport));
    }
}
