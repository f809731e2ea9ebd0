namespace PlayChat.Benchmark.Experiments;

/// <summary>
/// A figure of PlayChat, in the setting that does the same work, divided by that of another server in the same case and the same round.
/// </summary>
/// <param name="Case">The case.</param>
/// <param name="Against">The other.</param>
/// <param name="Figure">Which figure.</param>
/// <param name="Range">Over the rounds.</param>
/// <param name="Rounds">In how many both were good; 0: in none, so it tells nothing.</param>
internal sealed record Ratio(string Case, string Against, Figure Figure, FigureRange Range, int Rounds)
{
    /// <summary>Two runs of the same program may differ by so much when there is one round, which has no range.</summary>
    public const double NoiseOfOneRound = 0.10;

    // The medians of several differ by as much.
    private const double Noise = 0.03;

    /// <summary>How many times better PlayChat is: over 1 when it is, whichever way the figure is better.</summary>
    public FigureRange Gain => Figure.Better == Better.Higher ? Range : new FigureRange(1 / Range.Median, 1 / Range.Max, 1 / Range.Min);

    /// <summary>Which of the two is better.</summary>
    public Standing Standing
    {
        get
        {
            if (Rounds == 0)
            {
                return Standing.NotValid;
            }

            FigureRange gain = Gain;
            bool even = Math.Abs(gain.Median - 1) <= (Rounds == 1 ? NoiseOfOneRound : Noise) || (gain.Min < 1 && gain.Max > 1);
            return even ? Standing.Even : gain.Median > 1 ? Standing.Ahead : Standing.Behind;
        }
    }

    /// <summary>All of an experiment, by case, other server and figure.</summary>
    public static IReadOnlyList<Ratio> Of(ExperimentResult result) => result.Runs
        .Where(static other => other.Run.Subject != ExperimentRun.Ours)
        .SelectMany(other => result.Runs
            .Where(ours => ours.Run.Case == other.Run.Case && ours.Run.Subject == Subjects.OursBeside(other.Run.Subject))
            .SelectMany(ours => result.Experiment.Figures
                .Select(figure => (Figure: figure, Range: ours.RatioTo(other, figure)))
                .Where(static pair => pair.Range is not null)
                .Select(pair => new Ratio(ours.Run.Case, other.Run.Subject, pair.Figure, pair.Range!.Value, ours.GoodRoundsWith(other)))))
        .ToArray();
}
