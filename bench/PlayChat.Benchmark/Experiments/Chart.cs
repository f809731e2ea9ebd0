namespace PlayChat.Benchmark.Experiments;

/// <summary>How figures of an experiment are drawn.</summary>
/// <param name="Kind">The form.</param>
/// <param name="Title">Above it: what it shows.</param>
/// <param name="Keys">
/// Of <see cref="ChartKind.Cases"/>: one <see cref="Figure.Key"/>. Of <see cref="ChartKind.Percentiles"/>: several, from left to right.
/// Of <see cref="ChartKind.Time"/>: names in the report's list <c>intervals</c>, each drawn over <c>at_s</c> with an axis of its own.
/// Of <see cref="ChartKind.Curve"/>: two, for the horizontal and the vertical axis, of the report's list <c>steps</c>.
/// </param>
/// <param name="Logarithmic">Whether the values' axis is logarithmic.</param>
internal sealed record Chart(ChartKind Kind, string Title, IReadOnlyList<string> Keys, bool Logarithmic = false);
