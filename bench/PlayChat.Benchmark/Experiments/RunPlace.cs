using System.Globalization;

namespace PlayChat.Benchmark.Experiments;

/// <summary>Where in all that is to be run one run stands.</summary>
/// <param name="Experiment">Of which experiment.</param>
/// <param name="ExperimentNumber">From 1.</param>
/// <param name="Experiments">How many there are.</param>
/// <param name="Run">The run.</param>
/// <param name="Round">From 1.</param>
/// <param name="Number">Of all runs, from 1.</param>
/// <param name="Count">How many there are.</param>
/// <param name="Left">The time that this and all later ones will take, as far as it can be told.</param>
internal sealed record RunPlace(
    Experiment Experiment, int ExperimentNumber, int Experiments, ExperimentRun Run, int Round, int Number, int Count, TimeSpan Left)
{
    /// <summary>That time, for a person: 5:03, 2:05:03.</summary>
    public string LeftText => Left.TotalHours < 1
        ? Left.ToString(@"m\:ss", CultureInfo.InvariantCulture)
        : string.Create(CultureInfo.InvariantCulture, $"{(int)Left.TotalHours}:{Left:mm\\:ss}");
}
