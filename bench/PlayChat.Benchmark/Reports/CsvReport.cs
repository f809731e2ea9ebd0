using System.Text.Json.Nodes;

namespace PlayChat.Benchmark.Reports;

/// <summary>A run's report as two lines of comma-separated values: keys, then figures. Lists are left out.</summary>
/// <remarks>A column's name is the path in the JSON report with underscores: <c>rtt_us.p99</c> becomes <c>rtt_us_p99</c>.</remarks>
internal static class CsvReport
{
    /// <summary>Formats both lines.</summary>
    public static string Format(JsonObject report)
    {
        (string Name, string Value)[] columns = Flatten(string.Empty, report).ToArray();
        return string.Join(',', columns.Select(static column => column.Name)) + '\n'
            + string.Join(',', columns.Select(static column => column.Value)) + '\n';
    }

    private static IEnumerable<(string Name, string Value)> Flatten(string prefix, JsonObject owner) =>
        owner.SelectMany(pair => pair.Value switch
        {
            JsonObject inner => Flatten($"{prefix}{pair.Key}_", inner),
            JsonArray => [],
            null => [(prefix + pair.Key, string.Empty)],
            { } value => [(prefix + pair.Key, Quote(value.ToString()))],
        });

    private static string Quote(string value) => value.AsSpan().IndexOfAny(",\"\r\n") < 0
        ? value
        : $"\"{value.Replace("\"", "\"\"", StringComparison.Ordinal)}\"";
}
