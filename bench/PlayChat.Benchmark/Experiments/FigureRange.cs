namespace PlayChat.Benchmark.Experiments;

/// <summary>A figure over several rounds.</summary>
internal readonly record struct FigureRange(double Median, double Min, double Max)
{
    /// <summary><see langword="null"/> without values.</summary>
    public static FigureRange? Of(IEnumerable<double> values)
    {
        double[] sorted = [.. values.Order()];
        return sorted.Length == 0
            ? null
            : new FigureRange((sorted[(sorted.Length - 1) / 2] + sorted[sorted.Length / 2]) / 2, sorted[0], sorted[^1]);
    }
}
