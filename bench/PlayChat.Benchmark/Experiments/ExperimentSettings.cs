using System.Text.Json.Nodes;
using PlayChat.Benchmark.Reports;
using PlayChat.Core.Transport.Linux;

namespace PlayChat.Benchmark.Experiments;

/// <summary>What all experiments are told.</summary>
/// <param name="Rounds">How often each run is repeated.</param>
/// <param name="Against">The subjects that PlayChat is compared with; <see langword="null"/>: those that suit the experiment.</param>
/// <param name="ServerCpus">The server's processors, as taskset wants them; <see langword="null"/>: all.</param>
/// <param name="ClientCpus">The load's.</param>
/// <param name="ReportFolder">Where the report goes.</param>
/// <param name="Earlier">The report to compare with.</param>
/// <param name="Conditions">What makes it fail.</param>
internal sealed record ExperimentSettings(
    int Rounds,
    IReadOnlyList<string>? Against,
    string? ServerCpus,
    string? ClientCpus,
    string ReportFolder,
    JsonObject? Earlier,
    IReadOnlyList<FailCondition> Conditions)
{
    /// <summary>The subjects of an experiment: PlayChat, then those it is compared with.</summary>
    /// <param name="standard">Whom it is compared with when nobody is named.</param>
    public IReadOnlyList<string> Subjects(params string[] standard) =>
        [ExperimentRun.Ours, .. Against ?? standard.Where(static subject => subject != Experiments.Subjects.NativeLinux || LinuxTransport.IsSupported)];
}
