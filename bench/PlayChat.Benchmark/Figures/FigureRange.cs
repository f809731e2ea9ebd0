namespace PlayChat.Benchmark.Figures;

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
