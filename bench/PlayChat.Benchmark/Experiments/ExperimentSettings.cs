using System.Text.Json.Nodes;
using PlayChat.Benchmark.Figures;
using PlayChat.Transport.Linux;

namespace PlayChat.Benchmark.Experiments;

/// <summary>The settings that every experiment has.</summary>
/// <param name="Rounds">How often each run is made.</param>
/// <param name="Against">The servers that PlayChat is compared with; <see langword="null"/> for those that suit the experiment.</param>
/// <param name="ServerCpus">The server's processors, in the form of taskset; <see langword="null"/> for all.</param>
/// <param name="ClientCpus">The load's processors, in the same form.</param>
/// <param name="ReportFolder">The folder of the report.</param>
/// <param name="Earlier">An earlier report to compare with, if any.</param>
/// <param name="Conditions">The conditions of <c>--fail-if</c>.</param>
internal sealed record ExperimentSettings(
    int Rounds,
    IReadOnlyList<string>? Against,
    string? ServerCpus,
    string? ClientCpus,
    string ReportFolder,
    JsonObject? Earlier,
    IReadOnlyList<FailCondition> Conditions)
{
    /// <summary>The servers of an experiment: PlayChat, then the servers that it is compared with.</summary>
    /// <param name="standard">The servers to compare with when the command line names none.</param>
    public IReadOnlyList<string> Subjects(params string[] standard) =>
        [ExperimentRun.Ours, .. Against ?? standard.Where(IsSupported)];

    private static bool IsSupported(string subject) => subject != Experiments.Subjects.NativeLinux || LinuxTransport.IsSupported;
}
