namespace PlayChat.Benchmark.Reports.Html;

/// <summary>A line of a plot.</summary>
/// <param name="Label">Its text in the legend.</param>
/// <param name="Subject">The server, which selects color and marker.</param>
/// <param name="Published">Whether others published the figures.</param>
/// <param name="Points">From left to right.</param>
internal sealed record Series(string Label, string Subject, bool Published, IReadOnlyList<SeriesPoint> Points);
