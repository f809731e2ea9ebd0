using System.CommandLine;
using PlayChat.Benchmark.Ramp;
using PlayChat.Benchmark.Run;
using PlayChat.Benchmark.Servers;

namespace PlayChat.Benchmark.Cli;

/// <summary>The command <c>ramp</c>.</summary>
internal sealed class RampCommand
{
    private const int MaxConnections = 1_000_000;
    private const int MaxSize = 65_536;

    private readonly LoadOptions _load = new(warmup: 0, duration: 10);

    private readonly Option<int> _connections = new("--connections")
    {
        Description = "Connections at the end.",
        DefaultValueFactory = _ => 3000,
        HelpName = "N",
    };
    private readonly Option<int> _ramp = new("--ramp")
    {
        Description = "Connections added per step.",
        DefaultValueFactory = _ => 40,
        HelpName = "N",
    };

    private readonly Option<string> _interval = new("--ramp-interval")
    {
        Description = "Time between two steps, before --time-scale.",
        DefaultValueFactory = _ => "10s",
        HelpName = "TIME",
    };

    private readonly Option<double> _scale = new("--time-scale")
    {
        Description = "Makes the ramp this many times as fast. Connections send as often as before.",
        DefaultValueFactory = _ => 1,
        HelpName = "N",
    };

    private readonly Option<int> _size = new("--size")
    {
        Description = "Payload of a message.",
        DefaultValueFactory = _ => 50,
        HelpName = "BYTES",
    };

    private readonly Option<string> _every = new("--every")
    {
        Description = "Time between two messages of a connection.",
        DefaultValueFactory = _ => "10s",
        HelpName = "TIME",
    };

    /// <summary>Makes the command.</summary>
    /// <param name="run">Runs what the options describe, and gives the exit code.</param>
    public Command Create(Func<LoadRun, CancellationToken, Task<int>> run)
    {
        var command = new Command(
            "ramp",
            "Adds connections step by step that send little, and measures how many are accepted and what each costs. "
            + "--duration is how long all are held after the last one.")
        {
            _connections, _ramp, _interval, _scale, _size, _every,
        };
        _load.AddTo(command);
        command.SetAction((result, token) => run(Read(result), token));
        return command;
    }

    private LoadRun Read(ParseResult result)
    {
        LoadTarget target = _load.Read(result);
        double scale = result.GetValue(_scale);
        LoadOptions.Require(scale is > 0 and <= 100_000, "--time-scale", scale, "more than 0, to 100000");
        var settings = new RampSettings(
            result.GetValue(_connections),
            result.GetValue(_ramp),
            TimeText.Parse(result.GetValue(_interval)!, "--ramp-interval") / scale,
            result.GetValue(_size),
            TimeText.Parse(result.GetValue(_every)!, "--every"));
        LoadOptions.Require(
            settings.Connections is >= 1 and <= MaxConnections, "--connections", settings.Connections, $"1 to {MaxConnections}");
        LoadOptions.Require(settings.Step >= 1, "--ramp", settings.Step, "1 or more");
        LoadOptions.Require(settings.Bytes is >= 1 and <= MaxSize, "--size", settings.Bytes, $"1 to {MaxSize}");
        RunPlan plan = target.Plan with { Duration = settings.Length + target.Plan.Duration };
        return new LoadRun(
            target with { Plan = plan },
            settings.Connections,
            new ServerSettings("echo", target.Port, target.ServerKeys, target.ServerCores),
            _ => new RampScenario(settings, target.Transport));
    }
}
