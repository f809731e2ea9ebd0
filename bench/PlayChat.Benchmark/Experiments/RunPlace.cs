using System.Globalization;

namespace PlayChat.Benchmark.Experiments;

/// <summary>The place of a run among all runs of a plan.</summary>
/// <param name="Experiment">The experiment.</param>
/// <param name="ExperimentNumber">From 1.</param>
/// <param name="Experiments">The number of them.</param>
/// <param name="Run">The run.</param>
/// <param name="Round">From 1.</param>
/// <param name="Number">The number of this run, from 1, among all.</param>
/// <param name="Count">The number of them.</param>
/// <param name="Left">An estimate of the time that this run and all later ones will take.</param>
internal sealed record RunPlace(
    Experiment Experiment, int ExperimentNumber, int Experiments, ExperimentRun Run, int Round, int Number, int Count, TimeSpan Left)
{
    /// <summary>The time left, as text: 5:03, 2:05:03.</summary>
    public string LeftText => Left.TotalHours < 1
        ? Left.ToString(@"m\:ss", CultureInfo.InvariantCulture)
        : string.Create(CultureInfo.InvariantCulture, $"{(int)Left.TotalHours}:{Left:mm\\:ss}");
}
