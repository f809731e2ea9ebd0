namespace PlayChat.Benchmark.Experiments;

internal enum Better
{
    Higher,
    Lower,
}

/// <param name="Key">Its name in results.json: lower case, with its unit (<c>p99_us</c>).</param>
/// <param name="Unit">As a person reads it; empty for a count.</param>
/// <param name="Path">Its place in a run's report: keys divided by dots, <c>rtt_us.p99</c>.</param>
internal sealed record Figure(string Key, string Title, string Unit, string Path, Better Better)
{
    public static IReadOnlyList<Figure> Of(string experiment) =>
        [.. from cells in DataFile.Read("figures.csv")
            where cells[0] == experiment
            select new Figure(cells[1], cells[2], cells[3], cells[4], cells[5] == "higher" ? Better.Higher : Better.Lower)];
}

/// <summary>The files with data that are in the program: cells divided by semicolons; lines that begin with # are comments.</summary>
internal static class DataFile
{
    public static IEnumerable<string[]> Read(string name) => Text(name).Split('\n', StringSplitOptions.RemoveEmptyEntries)
        .Where(static line => !line.StartsWith('#'))
        .Select(static line => line.Split(';', StringSplitOptions.TrimEntries));

    public static string Text(string name)
    {
        using var reader = new StreamReader(typeof(DataFile).Assembly.GetManifestResourceStream(name)!);
        return reader.ReadToEnd();
    }
}

/// <param name="Title">Above it: what it shows, and which way is better.</param>
/// <param name="Cases">The cases that have bars, in this order; none for all.</param>
internal sealed record Chart(string Title, string Key, params string[] Cases);

/// <summary>Runs that differ by one number, to find the best value for this machine.</summary>
/// <param name="Name">The number with what else is fixed, such as "threads, 64 B".</param>
internal sealed record Sweep(string Name, string Figure, IReadOnlyDictionary<int, string> Cases);

/// <summary>A figure that others published, for another machine. Reports show it beside ours and never divide by it.</summary>
/// <param name="Subject">The server, as the report shows it.</param>
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
