namespace PlayChat.Benchmark.Experiments;

/// <summary>A figure that others published, for another machine. Reports show it beside ours and never divide by it.</summary>
/// <param name="Subject">The server, as the report shows it.</param>
/// <param name="Case">The case it belongs to: an <see cref="ExperimentRun.Case"/>.</param>
/// <param name="Key">The <see cref="Figure.Key"/>.</param>
/// <param name="Value">In the figure's unit, with all the digits that were published.</param>
internal sealed record PublishedFigure(string Subject, string Case, string Key, double Value);
