using System.Text.Json.Nodes;
using PlayChat.Benchmark.Figures;

namespace PlayChat.Benchmark.Experiments;

/// <summary>What the cases of an experiment add to one of them: computed from the two runs of the same round.</summary>
/// <remarks>The figures become part of each run's report, so they have ranges over the rounds as all others.</remarks>
/// <param name="Case">The case that the others are compared with. Its run comes first in each round.</param>
/// <param name="Figures">What is computed.</param>
internal sealed record CaseComparison(string Case, IReadOnlyList<ComparedFigure> Figures)
{
    /// <summary>The object of a run's report that has these figures.</summary>
    public const string ReportKey = "compared";

    /// <summary>Adds the figures to a run's report. A figure that one of the runs does not have is null.</summary>
    /// <param name="report">The run's report.</param>
    /// <param name="with">The report of the run of <see cref="Case"/>; <see langword="null"/> when that one was not good.</param>
    public void AddTo(JsonObject report, JsonObject? with)
    {
        var compared = new JsonObject();
        foreach (ComparedFigure figure in Figures)
        {
            double? value = RunResult.Read(report, figure.Path);
            double? other = RunResult.Read(with, figure.Path);
            compared[figure.Key] = JsonFigures.Round(figure.IsRatio ? value / other : value - other);
        }

        report[ReportKey] = compared;
    }
}
