namespace PlayChat.Benchmark.Experiments;

/// <summary>A figure of a <see cref="CaseComparison"/>.</summary>
/// <param name="Key">Its name in <see cref="CaseComparison.ReportKey"/>.</param>
/// <param name="Path">Which figure of the two reports it compares: keys divided by dots.</param>
/// <param name="IsRatio">Whether it is the one divided by the other; otherwise it is their difference.</param>
internal sealed record ComparedFigure(string Key, string Path, bool IsRatio);
