namespace PlayChat.Benchmark.Experiments;

internal enum Better
{
    Higher,
    Lower,
}

/// <summary>One figure of an experiment.</summary>
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
    public static IEnumerable<string[]> Read(string name)
    {
        using var reader = new StreamReader(typeof(DataFile).Assembly.GetManifestResourceStream(name)!);
        return reader.ReadToEnd().Split('\n', StringSplitOptions.RemoveEmptyEntries)
            .Where(static line => !line.StartsWith('#'))
            .Select(static line => line.Split(';', StringSplitOptions.TrimEntries));
    }
}

internal readonly record struct FigureRange(double Median, double Min, double Max)
{
    public static FigureRange? Of(IEnumerable<double> values)
    {
        double[] sorted = [.. values.Order()];
        return sorted.Length == 0
            ? null
            : new FigureRange((sorted[(sorted.Length - 1) / 2] + sorted[sorted.Length / 2]) / 2, sorted[0], sorted[^1]);
    }
}

/// <summary>A bar chart of one figure.</summary>
/// <param name="Title">Above it: what it shows, and which way is better.</param>
/// <param name="Key">The <see cref="Figure.Key"/>.</param>
/// <param name="Cases">The cases that have bars, in this order; none for all.</param>
internal sealed record Chart(string Title, string Key, params string[] Cases);

/// <summary>Runs that differ by one number, to find the best value for this machine.</summary>
/// <param name="Name">The number with what else is fixed, such as "threads, 64 B".</param>
/// <param name="Figure">The <see cref="Figure.Key"/> that decides.</param>
internal sealed record Sweep(string Name, string Figure, IReadOnlyDictionary<int, string> Cases);
