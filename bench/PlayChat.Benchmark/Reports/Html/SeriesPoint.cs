using PlayChat.Benchmark.Experiments;

namespace PlayChat.Benchmark.Reports.Html;

/// <summary>A point of a line.</summary>
/// <param name="X">The place on the horizontal axis, in its unit.</param>
/// <param name="Y">The value on the vertical axis, in its unit. The range is drawn as a whisker.</param>
/// <param name="Failed">Whether the step failed, which makes the marker hollow.</param>
internal sealed record SeriesPoint(double X, FigureRange Y, bool Failed = false)
{
    /// <summary>A point without a range.</summary>
    public SeriesPoint(double x, double y, bool failed = false)
        : this(x, new FigureRange(y, y, y), failed)
    {
    }
}
