namespace PlayChat.Chat.Operations.Metrics;

/// <summary>The types of the Prometheus exposition formats that PlayChat uses.</summary>
internal enum MetricKind
{
    Counter,
    Gauge,
    Histogram,
}
