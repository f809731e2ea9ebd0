namespace PlayChat.Benchmark.Experiments;

/// <summary>A run's figures at several moments, ours beside those that others published.</summary>
/// <param name="Title">Above it: what it shows.</param>
/// <param name="Case">The runs whose intervals are shown: an <see cref="ExperimentRun.Case"/>.</param>
/// <param name="Columns">
/// The figures, with paths inside an item of the report's list <c>intervals</c>; the first is the time.
/// </param>
/// <param name="Subject">The server whose rows were published.</param>
/// <param name="Published">The published rows, a value for each column.</param>
internal sealed record IntervalTable(
    string Title, string Case, IReadOnlyList<Figure> Columns, string Subject, IReadOnlyList<IReadOnlyList<double>> Published);
