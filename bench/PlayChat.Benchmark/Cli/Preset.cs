using System.CommandLine;
using PlayChat.Benchmark.Run;

namespace PlayChat.Benchmark.Cli;

/// <summary>The options <c>--quick</c> and <c>--full</c> of an experiment's command: where its parameters start from.</summary>
internal sealed class Preset<TParameters>(TParameters quick, TParameters full)
{
    private readonly Option<bool> _quick = new("--quick") { Description = "Small and short, as in suite --quick." };
    private readonly Option<bool> _full = new("--full") { Description = "As published, which is the standard." };

    /// <summary>Gives them to a command.</summary>
    public void AddTo(Command command)
    {
        command.Options.Add(_quick);
        command.Options.Add(_full);
    }

    /// <summary>Reads them.</summary>
    /// <exception cref="UsageException">Both are given.</exception>
    public TParameters Read(ParseResult result)
    {
        bool isQuick = result.GetValue(_quick);
        return isQuick && result.GetValue(_full)
            ? throw new UsageException("--quick and --full do not go together.")
            : isQuick ? quick : full;
    }
}
