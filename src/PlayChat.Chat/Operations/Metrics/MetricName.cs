using System.Diagnostics.Metrics;
using System.Text;

namespace PlayChat.Chat.Operations.Metrics;

/// <summary>Converts names of instruments and tags to those of Prometheus.</summary>
/// <remarks>
/// Dots become underscores. The unit follows the name unless the name has it (<c>s</c> is seconds, <c>By</c> is bytes; units in braces have
/// no suffix). These are the rules of the OpenTelemetry specification "Prometheus and OpenMetrics Compatibility".
/// </remarks>
internal static class MetricName
{
    public static string Of(Instrument instrument)
    {
        string name = instrument.Name.Replace('.', '_');
        string unit = instrument.Unit switch
        {
            "s" => "seconds",
            "By" => "bytes",
            _ => "",
        };
        return unit.Length == 0 || name.Split('_').Contains(unit, StringComparer.Ordinal) ? name : $"{name}_{unit}";
    }

    /// <summary>The labels of a series as they stand between the braces; empty without tags.</summary>
    public static string Labels(ReadOnlySpan<KeyValuePair<string, object?>> tags)
    {
        if (tags.IsEmpty)
        {
            return "";
        }

        var text = new StringBuilder();
        foreach ((string key, object? value) in tags)
        {
            text.Append(text.Length == 0 ? "" : ",").Append(key.Replace('.', '_')).Append("=\"");
            foreach (char character in Convert.ToString(value, CultureInfo.InvariantCulture) ?? "")
            {
                _ = character switch
                {
                    '\\' => text.Append("\\\\"),
                    '"' => text.Append("\\\""),
                    '\n' => text.Append("\\n"),
                    _ => text.Append(character),
                };
            }

            text.Append('"');
        }

        return text.ToString();
    }
}
