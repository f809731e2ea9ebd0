using System.Text;

namespace PlayChat.Chat.Operations.Metrics;

/// <summary>Writes metrics in the formats that Prometheus reads.</summary>
/// <remarks>
/// Sources: Prometheus "Exposition formats" (text format 0.0.4) and the OpenMetrics specification 1.0. They differ in the name of a counter
/// in its TYPE line, in UNIT lines and in the last line.
/// </remarks>
internal static class PrometheusText
{
    public const string TextType = "text/plain; version=0.0.4; charset=utf-8";
    public const string OpenMetricsType = "application/openmetrics-text; version=1.0.0; charset=utf-8";

    private static readonly string[] s_units = ["seconds", "bytes"];

    private static readonly string[] s_bounds =
        [.. HistogramValue.Bounds.Select(static bound => bound.ToString("0.0####", CultureInfo.InvariantCulture))];

    public static string Write(IEnumerable<MetricFamily> families, bool isOpenMetrics)
    {
        var text = new StringBuilder(16 * 1024);
        foreach (MetricFamily family in families.OrderBy(static family => family.Name, StringComparer.Ordinal))
        {
            if (family.Values.Count + family.Histograms.Count > 0)
            {
                Write(text, family, isOpenMetrics);
            }
        }

        return text.Append(isOpenMetrics ? "# EOF\n" : "").ToString();
    }

    private static void Write(StringBuilder text, MetricFamily family, bool isOpenMetrics)
    {
        string sample = family.Kind == MetricKind.Counter ? $"{family.Name}_total" : family.Name;
        string described = isOpenMetrics ? family.Name : sample;
        text.Append("# HELP ").Append(described).Append(' ').Append(family.Help).Append('\n');
        text.Append("# TYPE ").Append(described).Append(' ').Append(family.Kind.ToString().ToLowerInvariant()).Append('\n');
        if (isOpenMetrics && Array.Find(s_units, unit => family.Name.EndsWith("_" + unit, StringComparison.Ordinal)) is { } unit)
        {
            text.Append("# UNIT ").Append(described).Append(' ').Append(unit).Append('\n');
        }

        foreach ((string labels, double value) in family.Values)
        {
            WriteSample(text, sample, labels, value);
        }

        foreach ((string labels, HistogramValue histogram) in family.Histograms)
        {
            string prefix = labels.Length == 0 ? "" : labels + ",";
            for (int i = 0; i < s_bounds.Length; i++)
            {
                WriteSample(text, family.Name + "_bucket", $"{prefix}le=\"{s_bounds[i]}\"", histogram.Counts[i]);
            }

            WriteSample(text, family.Name + "_bucket", prefix + "le=\"+Inf\"", histogram.Count);
            WriteSample(text, family.Name + "_sum", labels, histogram.Sum);
            WriteSample(text, family.Name + "_count", labels, histogram.Count);
        }
    }

    private static void WriteSample(StringBuilder text, string name, string labels, double value)
    {
        text.Append(name);
        if (labels.Length > 0)
        {
            text.Append('{').Append(labels).Append('}');
        }

        text.Append(' ').Append(value.ToString("R", CultureInfo.InvariantCulture)).Append('\n');
    }
}
