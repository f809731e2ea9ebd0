using System.CommandLine;

namespace PlayChat.Benchmark.Cli;

/// <summary>The commands of the experiments, <c>suite</c>, and those that read reports: <c>report</c> and <c>compare</c>.</summary>
internal static class ExperimentCommands
{
    private const string None = "none";

    private static string Servers => $"{string.Join(", ", Baseline.Names)}, {Subjects.NativeLinuxOption} or {None}";

    public static IEnumerable<Command> Create(Func<ExperimentPlan, CancellationToken, Task<int>> run) =>
    [
        .. ExperimentKind.All.Select(kind => AddCommon(AddOptions(kind)
            .Flag("--quick", "Small and short, as in the quick suite; otherwise as published. Other options override its values."))
            .Create(kind.Name, kind.Text, async (values, token) => await run(await ReadOneAsync(kind, values), token))),
        AddCommon(new OptionTable()
            .Flag("--smoke", "Whether every experiment works and loses nothing: two minutes, PlayChat alone unless --against names others.")
            .Flag("--quick", "Small sizes and short times: about twelve minutes on two cores, with one round.")
            .Flag("--standard", "The published numbers of connections with shorter times: a quarter of an hour for each round.")
            .Flag("--full", "The published sizes and times: hours.")
            .List("--only", "NAME…", "Names of experiments. Default: all of them."))
            .Create("suite", "Runs every experiment against PlayChat and other servers, and writes a report.", async (values, token) =>
                await run(await ReadSuiteAsync(values), token)),
        new OptionTable()
            .Argument("earlier", "The report of the earlier run.")
            .Argument("later", "The report of the later run.")
            .Create(
                "compare",
                "Shows what changed between two reports of one load (--json), or between two results.json.",
                static async (values, _) =>
                {
                    await values.Console.Output.WriteLineAsync(
                        Comparison.OfFiles(values.Argument("earlier"), values.Argument("later")).Format());
                    return 0;
                }),
        new OptionTable()
            .Argument("results", "The results.json of a suite.")
            .Argument("folder", "Where the page goes.")
            .Text("--commit", null, "VERSION", "The version that was measured.")
            .Text("--update", null, "FILE", "A results.json in which these experiments take the place of those of the same name.")
            .Create(
                "report",
                "Writes a page for a repository from a results.json: README.md with charts, a small results.json, report.html.",
                static async (values, _) =>
                {
                    SuiteReport report = SuiteReport.Read(values.Argument("results"));
                    report = report with { Commit = values.OptionalText("--commit") ?? report.Commit };
                    report = values.OptionalText("--update") is { } earlier ? SuiteReport.Read(earlier).Update(report) : report;
                    await ReportFiles.WritePageAsync(report, values.Argument("folder"));
                    return 0;
                }),
    ];

    /// <summary>Parses every run's command line as the run itself will, and checks the machine's limits for the largest run.</summary>
    public static async Task CheckAsync(ExperimentPlan plan)
    {
        var loads = new List<LoadRun>();
        foreach (ExperimentRun run in plan.Experiments.SelectMany(static experiment => experiment.Runs))
        {
            var errors = new StringWriter();
            int code = await BenchmarkProgram.RunAsync([.. plan.Settings.Arguments(run)], TextWriter.Null, errors, (load, _) =>
            {
                loads.Add(load);
                return Task.FromResult(0);
            });
            UsageException.Unless(code == 0, $"{run.Subject}, {run.Case}: {errors.ToString().Trim()}");
        }

        SystemLimits.Check(loads.Max(static load => load.Connections), loads.Max(static load => load.ConnectAtOnce));
    }

    private static OptionTable AddOptions(ExperimentKind kind) => kind.Options.Aggregate(
        new OptionTable(), static (table, option) => table.List(option.Name, "VALUE", $"{option.Text} ({option.Full})"));

    private static OptionTable AddCommon(OptionTable options) => options
        .Int("--repeat", 1, 1, 1000, "Rounds. Each makes every run once, so that all runs meet the same machine.")
        .List("--against", "NAME…", $"Servers to compare with: {Servers}. Default: those that suit the experiment.")
        .Text("--server-cpus", null, "LIST", "Linux: the server's processors, such as 1 or 0,2-3.")
        .Text("--client-cpus", null, "LIST", "Linux: the load's processors.")
        .Text("--report", "report", "FOLDER", "Folder of the report: index.html and results.json.")
        .List("--fail-if", "CONDITION", LoadTarget.FailIf, inOne: false);

    private static Task<ExperimentPlan> ReadOneAsync(ExperimentKind kind, OptionValues values)
    {
        Dictionary<string, string> given = kind.Options
            .Where(option => values.List(option.Name).Length > 0)
            .ToDictionary(static option => option.Name, option => string.Join(' ', values.List(option.Name)), StringComparer.Ordinal);
        return PlanAsync([kind], values.Flag("--quick") ? SuiteSize.Quick : SuiteSize.Full, given, ReadSettings(values));
    }

    private static Task<ExperimentPlan> ReadSuiteAsync(OptionValues values)
    {
        SuiteSize[] sizes = Array.FindAll(Enum.GetValues<SuiteSize>(), size => values.Flag($"--{size.ToString().ToLowerInvariant()}"));
        UsageException.Unless(sizes.Length == 1, "suite needs one of --smoke, --quick, --standard and --full.");
        string[] only = values.List("--only");
        string[] names = [.. ExperimentKind.All.Select(static kind => kind.Name)];
        string? unknown = Array.Find(only, name => !names.Contains(name, StringComparer.Ordinal));
        UsageException.Unless(unknown is null, $"--only is '{unknown}'; allowed is {string.Join(", ", names)}.");
        ExperimentSettings settings = ReadSettings(values);
        return PlanAsync(
            ExperimentKind.All.Where(kind => only.Length == 0 || only.Contains(kind.Name, StringComparer.Ordinal)),
            sizes[0],
            given: null,
            sizes[0] == SuiteSize.Smoke ? settings with { Against = settings.Against ?? [] } : settings);
    }

    // Leaves out what this machine cannot run: a cluster needs programs that are not PlayChat's.
    private static async Task<ExperimentPlan> PlanAsync(
        IEnumerable<ExperimentKind> kinds, SuiteSize size, IReadOnlyDictionary<string, string>? given, ExperimentSettings settings)
    {
        Experiment[] experiments = [.. kinds.Select(kind => kind.Create(size, settings, given))];
        var skipped = new List<string>();
        foreach (ClusterEngine engine in Enum.GetValues<ClusterEngine>())
        {
            bool Needs(ExperimentRun run) => run.Arguments.Contains(engine.ToString(), StringComparer.Ordinal);
            if (experiments.Any(experiment => experiment.Runs.Any(Needs)) && await LocalTool.WhyNotAsync(engine) is { } why)
            {
                skipped.Add($"Skipped: {ClusterExperiment.Kind.Name} over {engine}. {why}");
                experiments =
                [
                    .. experiments
                        .Select(experiment => experiment with { Runs = [.. experiment.Runs.Where(run => !Needs(run))] })
                        .Where(static experiment => experiment.Name != ClusterExperiment.Kind.Name || experiment.Runs.Count > 1),
                ];
            }
        }

        UsageException.Unless(experiments.Length > 0, string.Join(' ', skipped));
        return new ExperimentPlan(experiments, settings) { Skipped = skipped };
    }

    private static ExperimentSettings ReadSettings(OptionValues values) => new(
        values.Int("--repeat"),
        Against(values.List("--against")),
        Cpus(values.OptionalText("--server-cpus"), "--server-cpus"),
        Cpus(values.OptionalText("--client-cpus"), "--client-cpus"),
        values.Text("--report") is { Length: > 0 } folder ? Path.GetFullPath(folder) : throw new UsageException("--report takes a folder."),
        values.List("--fail-if").Select(FailCondition.Parse).ToArray());

    private static string[]? Against(string[] names) => names switch
    {
        [] => null,
        [None] => [],
        _ => names.SelectMany(static name => name.Split(',')).Distinct(StringComparer.Ordinal).Select(Subject).ToArray(),
    };

    private static string Subject(string name)
    {
        UsageException.Unless(
            name != Subjects.NativeLinuxOption || LinuxTransport.IsSupported,
            $"--against {Subjects.NativeLinuxOption} needs 64-bit Linux.");
        return name == Subjects.NativeLinuxOption ? Subjects.NativeLinux
            : Subjects.IsBaseline(name) ? name
            : throw new UsageException($"--against is '{name}'; allowed is {Servers}.");
    }

    private static string? Cpus(string? cpus, string option)
    {
        UsageException.Unless(cpus is null || RunningProcess.CanPin, $"{option} needs Linux with the program taskset.");
        return cpus is null ? null : LoadTarget.CpuList(cpus, option);
    }
}
