using System.Text.Json.Nodes;

namespace PlayChat.Benchmark.Reports;

/// <summary>A report as two lines of comma-separated values: its figures by the JSON report's keys, joined by underscores; lists are left out.</summary>
internal static class CsvReport
{
    public static string Format(JsonObject report)
    {
        (string Name, string Value)[] columns = Flatten(string.Empty, report).ToArray();
        return string.Join(',', columns.Select(static column => column.Name)) + '\n'
            + string.Join(',', columns.Select(static column => column.Value)) + '\n';
    }

    private static IEnumerable<(string Name, string Value)> Flatten(string prefix, JsonObject owner) => owner.SelectMany(pair => pair.Value switch
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
