using System.CommandLine;

namespace PlayChat.Benchmark.Cli;

/// <summary>The option of experiments that makes them small and short; what else is said goes before it.</summary>
internal sealed class QuickOption
{
    private readonly Option<bool> _quick = new("--quick") { Description = "Small and short, as in the quick suite; without it, as it was published." };

    /// <summary>Gives it to a command.</summary>
    public void AddTo(Command command) => command.Options.Add(_quick);

    /// <summary>Whether it was given.</summary>
    public bool Read(ParseResult result) => result.GetValue(_quick);
}
