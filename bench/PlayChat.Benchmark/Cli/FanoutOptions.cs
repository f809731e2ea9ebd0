using System.CommandLine;

namespace PlayChat.Benchmark.Cli;

/// <summary>The options of loads that send by a plan to many receivers.</summary>
internal sealed class FanoutOptions
{
    private readonly Option<string> _late = new("--late")
    {
        Description = "A delivery is late when it arrives later than this after its planned time.",
        DefaultValueFactory = _ => "50ms",
        HelpName = "TIME",
    };

    private readonly Option<string> _maxLag = new("--max-lag")
    {
        Description = "The run is invalid (exit code 1) when the load's own p99 from planned to real sending is over this.",
        DefaultValueFactory = _ => "50ms",
        HelpName = "TIME",
    };

    /// <summary>Gives them to a command.</summary>
    public void AddTo(Command command)
    {
        command.Options.Add(_late);
        command.Options.Add(_maxLag);
    }

    /// <summary>The delay from which a delivery is late.</summary>
    public TimeSpan Late(ParseResult result) => TimeText.Parse(result.GetValue(_late)!, _late.Name);

    /// <summary>The delay with which the load may send.</summary>
    public TimeSpan MaxLag(ParseResult result) => TimeText.Parse(result.GetValue(_maxLag)!, _maxLag.Name);
}
