using System.CommandLine;

namespace PlayChat.Benchmark.Cli;

/// <summary>The options of loads that send by a plan to many receivers.</summary>
internal sealed class FanoutOptions
{
    private readonly Option<string> _late = new("--late")
    {
        Description = "A delivery is late when it comes later than this after its planned time.",
        DefaultValueFactory = _ => "50ms",
        HelpName = "TIME",
    };

    private readonly Option<string> _maxLag = new("--max-lag")
    {
        Description = "The run is not valid, and its exit code 1, when the p99 of planned to real sending is over this: the load itself was too slow.",
        DefaultValueFactory = _ => "50ms",
        HelpName = "TIME",
    };

    /// <summary>Gives them to a command.</summary>
    public void AddTo(Command command)
    {
        command.Options.Add(_late);
        command.Options.Add(_maxLag);
    }

    /// <summary>From when on a delivery is late.</summary>
    public TimeSpan Late(ParseResult result) => TimeText.Parse(result.GetValue(_late)!, _late.Name);

    /// <summary>How late the load may send.</summary>
    public TimeSpan MaxLag(ParseResult result) => TimeText.Parse(result.GetValue(_maxLag)!, _maxLag.Name);
}
