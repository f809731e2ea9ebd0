using PlayChat.Benchmark.Experiments;

namespace PlayChat.Benchmark.Reports.Html;

/// <summary>A point of a line.</summary>
/// <param name="X">In the horizontal axis's unit.</param>
/// <param name="Y">In the vertical axis's unit; its range is drawn as a whisker.</param>
/// <param name="Failed">Whether what it shows did not hold: its marker is hollow.</param>
internal sealed record SeriesPoint(double X, FigureRange Y, bool Failed = false)
{
    /// <summary>A point without a range.</summary>
    public SeriesPoint(double x, double y, bool failed = false)
        : this(x, new FigureRange(y, y, y), failed)
    {
    }
}
