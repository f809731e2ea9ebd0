using System.CommandLine;
using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Experiments.Suite;
using PlayChat.Benchmark.Failures;

namespace PlayChat.Benchmark.Cli;

/// <summary>The command <c>suite</c>: every experiment, one after the other, in one report.</summary>
internal sealed class SuiteCommand
{
    private readonly ExperimentOptions _options = new();

    private readonly Option<bool> _quick = new("--quick")
    {
        Description = "Small sizes and short times: at most ten minutes on two cores, with one round.",
    };

    private readonly Option<bool> _full = new("--full") { Description = "The published sizes and times: hours." };

    private readonly Option<string[]> _only = new("--only")
    {
        Description = "Names of experiments. Default: all of them.",
        AllowMultipleArgumentsPerToken = true,
        DefaultValueFactory = _ => [],
        HelpName = "NAME…",
    };

    /// <summary>Makes the command.</summary>
    /// <param name="run">Runs what the options describe, and gives the exit code.</param>
    public Command Create(Func<ExperimentPlan, CancellationToken, Task<int>> run)
    {
        var command = new Command(
            "suite", "Runs every experiment against PlayChat and other servers, and writes a report. Needs --quick or --full.")
        {
            _quick, _full, _only,
        };
        _options.AddTo(command);
        command.SetAction((result, token) => run(Read(result), token));
        return command;
    }

    private ExperimentPlan Read(ParseResult result)
    {
        bool quick = result.GetValue(_quick);
        if (quick == result.GetValue(_full))
        {
            throw new UsageException("suite needs --quick or --full.");
        }

        ExperimentSettings settings = _options.Read(result);
        IReadOnlyList<Experiment> all = SuiteExperiments.Create(quick, settings);
        string[] only = result.GetValue(_only)!;
        string? unknown = only.FirstOrDefault(name => all.All(experiment => experiment.Name != name));
        return unknown is null
            ? new ExperimentPlan(
                only.Length == 0 ? all : all.Where(experiment => only.Contains(experiment.Name, StringComparer.Ordinal)).ToArray(),
                settings)
            : throw new UsageException(
                $"--only is '{unknown}'; allowed is {string.Join(", ", all.Select(static experiment => experiment.Name))}.");
    }
}
