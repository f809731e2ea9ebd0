namespace PlayChat.Benchmark.Experiments;

/// <summary>A figure that others published, for another machine. Reports show it beside ours and never divide by it.</summary>
/// <param name="Subject">The server, as the report shows it.</param>
/// <param name="Case">The case it belongs to: an <see cref="ExperimentRun.Case"/>.</param>
/// <param name="Key">The <see cref="Figure.Key"/>, or of a moment of a run the column.</param>
/// <param name="Value">In the figure's unit, with all the digits that were published.</param>
/// <param name="AtSeconds">The moment of the run; <see langword="null"/> for a figure of the whole run.</param>
internal sealed record PublishedFigure(string Subject, string Case, string Key, double Value, double? AtSeconds = null)
{
    /// <summary>The figures of an experiment, from published.csv, whose head says what its columns are.</summary>
    public static IReadOnlyList<PublishedFigure> Of(string experiment) =>
        [.. from cells in DataFile.Read("published.csv")
            where cells[0] == experiment
            from figure in cells[4].Split(' ').Zip(cells[5].Split(' '))
            select new PublishedFigure(cells[1], cells[2], figure.First, Number(figure.Second)!.Value, Number(cells[3]))];

    private static double? Number(string text) => text.Length == 0 ? null : double.Parse(text, CultureInfo.InvariantCulture);
}
