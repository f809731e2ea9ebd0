using System.CommandLine;
using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Failures;

namespace PlayChat.Benchmark.Cli;

/// <summary>A command that is one experiment: its own options, and those that every experiment has.</summary>
/// <param name="name">The command.</param>
/// <param name="description">The text of the help.</param>
internal abstract class ExperimentCommand(string name, string description)
{
    private readonly ExperimentOptions _common = new();
    private readonly Option<bool> _quick = new("--quick")
    {
        Description = "Small and short, as in the quick suite; otherwise as published. Other options override its values.",
    };

    /// <summary>The experiment's own options, as the help lists them.</summary>
    protected abstract IReadOnlyList<Option> Options { get; }

    /// <summary>Makes the command.</summary>
    /// <param name="run">Runs what the options describe, and gives the exit code.</param>
    public Command Create(Func<ExperimentPlan, CancellationToken, Task<int>> run)
    {
        var command = new Command(name, description);
        foreach (Option option in Options)
        {
            command.Options.Add(option);
        }

        command.Options.Add(_quick);
        _common.AddTo(command);
        command.SetAction((result, token) =>
        {
            ExperimentSettings settings = _common.Read(result);
            return run(new ExperimentPlan([Read(result, result.GetValue(_quick), settings)], settings), token);
        });
        return command;
    }

    /// <summary>Makes an option that takes any number of values; empty when it is not given.</summary>
    protected static Option<int[]> Numbers(string name, string description, string helpName) => new(name)
    {
        Description = description,
        AllowMultipleArgumentsPerToken = true,
        DefaultValueFactory = _ => [],
        HelpName = helpName,
    };

    /// <summary>Makes an option in seconds that overrides the preset.</summary>
    protected static Option<double?> Seconds(string name, string description) =>
        new(name) { Description = description, HelpName = "SECONDS" };

    /// <summary>Makes the experiment.</summary>
    /// <exception cref="UsageException">An option is invalid.</exception>
    protected abstract Experiment Read(ParseResult result, bool quick, ExperimentSettings settings);
}
