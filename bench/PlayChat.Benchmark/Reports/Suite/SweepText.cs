using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Figures;

namespace PlayChat.Benchmark.Reports.Suite;

/// <summary>The answer of each sweep in a sentence: which value was best on this machine.</summary>
internal static class SweepText
{
    /// <summary>The sentences, in the order of the sweeps. A sweep with fewer than two good runs has none.</summary>
    public static IEnumerable<string> Of(ExperimentResult result) =>
        result.Experiment.Sweeps.Select(sweep => Of(sweep, result)).OfType<string>();

    private static string? Of(Sweep sweep, ExperimentResult result)
    {
        Figure figure = result.Experiment.Figures.First(figure => figure.Key == sweep.Figure);
        (int Value, FigureRange Range)[] measured = sweep.Cases
            .Select(entry => (entry.Value, Range: result.Runs
                .FirstOrDefault(run => run.Run.Subject == ExperimentRun.Ours && run.Run.Case == entry.Case && run.IsValid)?.Range(figure)))
            .Where(static entry => entry.Range is not null)
            .Select(static entry => (entry.Value, entry.Range!.Value))
            .ToArray();
        if (measured.Length < 2)
        {
            return null;
        }

        bool more = figure.Better == Better.Higher;
        (int best, FigureRange range) = more
            ? measured.MaxBy(static entry => entry.Range.Median)
            : measured.MinBy(static entry => entry.Range.Median);
        // A value whose range reaches the best one's median may be as good.
        string[] even = measured
            .Where(entry => entry.Value != best && (more ? entry.Range.Max >= range.Median : entry.Range.Min <= range.Median))
            .Select(static entry => FigureText.Number(entry.Value))
            .ToArray();
        string others = even.Length == 0
            ? string.Empty
            : $" Within the noise {string.Join(", ", even)} {(even.Length == 1 ? "is" : "are")} as good.";
        return $"Best number of {sweep.Name}, on this machine: {FigureText.Number(best)} "
            + $"({figure.Title} {FigureText.Format(range.Median, figure.Unit)}).{others}";
    }
}
