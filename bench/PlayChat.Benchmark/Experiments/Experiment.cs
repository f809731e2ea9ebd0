using System.Text.Json.Serialization;

namespace PlayChat.Benchmark.Experiments;

/// <summary>One run of an experiment: this program as a separate process, with a report as JSON.</summary>
/// <param name="Subject">The server: <see cref="Subjects.Ours"/>, another setting of PlayChat, or a baseline's name.</param>
/// <param name="Case">What differs from the experiment's other runs of the subject: "64 B", "4×50".</param>
/// <param name="Arguments">The command line, without --json, which the runner adds.</param>
internal sealed record ExperimentRun(string Subject, string Case, IReadOnlyList<string> Arguments)
{
    /// <param name="arguments">The load, without the options that select the server.</param>
    public static ExperimentRun Of(string subject, string name, string arguments) =>
        new(subject, name, [.. arguments.Split(' ', StringSplitOptions.RemoveEmptyEntries), .. Subjects.Arguments(subject)]);
}

/// <summary>A published experiment: the runs that repeat it, the figures that count, and what others published.</summary>
/// <param name="Name">The command's name, such as <c>stream</c>.</param>
/// <param name="Source">The publisher and the machine, in one sentence.</param>
/// <param name="Runs">The runs of every round, in this order.</param>
/// <param name="Charts">The charts. The first one is also on the page for people who do not open the report.</param>
internal sealed record Experiment(
    string Name,
    string Title,
    string Source,
    string About,
    IReadOnlyList<ExperimentRun> Runs,
    IReadOnlyList<Chart> Charts)
{
    /// <summary>The figures that are read from each run's report, the most important first.</summary>
    public IReadOnlyList<Figure> Figures { get; init; } = Figure.Of(Name);

    public IReadOnlyList<PublishedFigure> Published { get; init; } = PublishedFigure.Of(Name);

    /// <summary>The columns of the table of single moments, with paths inside an item of a report's list <c>intervals</c>.</summary>
    public IReadOnlyList<Figure> Moments { get; init; } = Figure.Of($"{Name} moments");

    /// <summary>Runs that differ by one number; the report says which value was best.</summary>
    public IReadOnlyList<Sweep> Sweeps { get; init; } = [];

    /// <summary>The case that the others are compared with in the same round; its run comes first. None by default.</summary>
    [JsonIgnore]
    public string? ComparedWith { get; init; }
}

internal sealed record ExperimentPlan(IReadOnlyList<Experiment> Experiments, ExperimentSettings Settings)
{
    /// <summary>A sentence for each part of the suite that this machine cannot run: which, and why.</summary>
    public IReadOnlyList<string> Skipped { get; init; } = [];
}

/// <param name="Against">The servers that PlayChat is compared with; <see langword="null"/> for those that suit the experiment.</param>
/// <param name="ServerCpus">The server's processors, in the form of taskset; <see langword="null"/> for all.</param>
/// <param name="ClientCpus">The load's processors, in the same form.</param>
internal sealed record ExperimentSettings(
    int Rounds,
    IReadOnlyList<string>? Against,
    string? ServerCpus,
    string? ClientCpus,
    string ReportFolder,
    IReadOnlyList<FailCondition> Conditions)
{
    /// <summary>The servers of an experiment that serve a mode: PlayChat, then the servers that it is compared with.</summary>
    /// <param name="native">Whether PlayChat on its Linux transport is measured when the command line names no servers.</param>
    public IReadOnlyList<string> Subjects(string mode, bool native = true)
    {
        string[] standard =
        [
            .. native && LinuxTransport.IsSupported ? [Experiments.Subjects.NativeLinux] : Array.Empty<string>(),
            .. Experiments.Subjects.Baselines,
        ];
        return [Experiments.Subjects.Ours, .. Experiments.Subjects.Serving(Against ?? standard, mode)];
    }

    /// <summary>The command line that starts a run, without <c>--json</c>.</summary>
    public IReadOnlyList<string> Arguments(ExperimentRun run) =>
        (ServerCpus ?? Everywhere) is { } cpus ? [.. run.Arguments, "--server-cores", cpus] : run.Arguments;

    /// <summary>The command line of a run, to type in the repository's folder.</summary>
    public string CommandLine(ExperimentRun run) =>
        (ClientCpus is null ? string.Empty : $"taskset -c {ClientCpus} ") + CommandLineText.Of(Arguments(run));

    // The server is the load's child process and would inherit the load's processors.
    private string? Everywhere => ClientCpus is null ? null : $"0-{Environment.ProcessorCount - 1}";
}

internal static class CommandLineText
{
    private const string Program = "dotnet run -c Release --project bench/PlayChat.Benchmark --";

    public static string Of(IEnumerable<string> arguments) => $"{Program} {string.Join(' ', arguments.Select(Quote))}";

    private static string Quote(string argument) =>
        argument.Length > 0
        && argument.All(static letter => char.IsLetterOrDigit(letter) || "-_=:.,/+×".Contains(letter, StringComparison.Ordinal))
            ? argument
            : $"'{argument.Replace("'", "'\\''", StringComparison.Ordinal)}'";
}
