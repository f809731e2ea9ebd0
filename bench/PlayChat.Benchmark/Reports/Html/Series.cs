namespace PlayChat.Benchmark.Reports.Html;

/// <summary>A line of a plot.</summary>
/// <param name="Label">In the legend.</param>
/// <param name="Subject">Whose it is: gives color and marker.</param>
/// <param name="Published">Whether it was published.</param>
/// <param name="Points">From left to right.</param>
internal sealed record Series(string Label, string Subject, bool Published, IReadOnlyList<SeriesPoint> Points);
