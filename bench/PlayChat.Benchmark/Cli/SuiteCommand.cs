using System.CommandLine;
using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Experiments.Cluster;
using PlayChat.Benchmark.Experiments.Suite;
using PlayChat.Benchmark.Failures;
using PlayChat.Benchmark.Servers.Cluster;

namespace PlayChat.Benchmark.Cli;

/// <summary>The command <c>suite</c>: every experiment, one after the other, in one report.</summary>
internal sealed class SuiteCommand
{
    private readonly ExperimentOptions _options = new();

    private readonly Option<bool> _smoke = new("--smoke")
    {
        Description = "Whether every experiment works and loses nothing: about two minutes on two cores, PlayChat alone unless "
            + "--against names others. For a build server; its figures are too short to compare.",
    };

    private readonly Option<bool> _quick = new("--quick")
    {
        Description = "Small sizes and short times: about twelve minutes on two cores, with one round.",
    };

    private readonly Option<bool> _standard = new("--standard")
    {
        Description = "The published numbers of connections with shorter times: about a quarter of an hour for each round on two cores.",
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
            "suite",
            "Runs every experiment against PlayChat and other servers, and writes a report. Needs --smoke, --quick, --standard or --full.")
        {
            _smoke, _quick, _standard, _full, _only,
        };
        _options.AddTo(command);
        command.SetAction((result, token) => run(Read(result), token));
        return command;
    }

    private ExperimentPlan Read(ParseResult result)
    {
        SuiteSize size = (
            result.GetValue(_smoke), result.GetValue(_quick), result.GetValue(_standard), result.GetValue(_full)) switch
        {
            (true, false, false, false) => SuiteSize.Smoke,
            (false, true, false, false) => SuiteSize.Quick,
            (false, false, true, false) => SuiteSize.Standard,
            (false, false, false, true) => SuiteSize.Full,
            _ => throw new UsageException("suite needs one of --smoke, --quick, --standard and --full."),
        };
        ExperimentSettings settings = _options.Read(result);
        if (size == SuiteSize.Smoke)
        {
            settings = settings with { Against = settings.Against ?? [] };
        }

        IReadOnlyList<Experiment> all = SuiteExperiments.Create(size, settings);
        string[] only = result.GetValue(_only)!;
        if (Array.Find(only, name => all.All(experiment => experiment.Name != name)) is { } unknown)
        {
            throw new UsageException(
                $"--only is '{unknown}'; allowed is {string.Join(", ", all.Select(static experiment => experiment.Name))}.");
        }

        ExperimentPlan plan = OnThisMachine(size, settings);
        if (only.Length == 0)
        {
            return plan;
        }

        Experiment[] chosen = plan.Experiments.Where(experiment => only.Contains(experiment.Name, StringComparer.Ordinal)).ToArray();
        IReadOnlyList<string> skipped = only.Contains(ClusterExperiment.Name, StringComparer.Ordinal) ? plan.Skipped : [];
        return chosen.Length > 0
            ? new ExperimentPlan(chosen, settings) { Skipped = skipped }
            : throw new UsageException(string.Join(' ', skipped));
    }

    // The cluster needs programs that are not PlayChat's.
    private static ExperimentPlan OnThisMachine(SuiteSize size, ExperimentSettings settings)
    {
        (ClusterEngine Engine, string? WhyNot)[] engines = Enum.GetValues<ClusterEngine>()
            .Select(static engine => (engine, LocalTool.WhyNot(engine)))
            .ToArray();
        ClusterEngine[] here = engines.Where(static pair => pair.WhyNot is null).Select(static pair => pair.Engine).ToArray();
        return new ExperimentPlan(SuiteExperiments.Create(size, settings, here), settings)
        {
            Skipped = engines
                .Where(static pair => pair.WhyNot is not null)
                .Select(static pair => $"Skipped: {ClusterExperiment.Name} over {pair.Engine}. {pair.WhyNot}")
                .ToArray(),
        };
    }
}
