namespace PlayChat.Chat.Operations.Metrics;

/// <summary>A metric with all its series, as Prometheus knows it. Immutable.</summary>
/// <param name="Name">Without the <c>_total</c> of a counter.</param>
/// <param name="Kind">What the values are.</param>
/// <param name="Help">One sentence.</param>
/// <param name="Values">The series of a counter or a gauge.</param>
/// <param name="Histograms">The series of a histogram.</param>
internal sealed record MetricFamily(
    string Name,
    MetricKind Kind,
    string Help,
    IReadOnlyList<KeyValuePair<string, double>> Values,
    IReadOnlyList<KeyValuePair<string, HistogramValue>> Histograms)
{
    /// <summary>A histogram without labels.</summary>
    public static MetricFamily Of(string name, string help, HistogramValue value) =>
        new(name, MetricKind.Histogram, help, [], [new KeyValuePair<string, HistogramValue>("", value)]);
}
