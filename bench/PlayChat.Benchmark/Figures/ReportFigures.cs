using System.Text.Json.Nodes;

namespace PlayChat.Benchmark.Figures;

/// <summary>A run's report as a list of figures.</summary>
/// <remarks>
/// Each has a path in the JSON (<c>rtt_us.p99</c>), a name in the CSV (<c>rtt_us_p99</c>) and a short name (<c>p99_us</c>).
/// </remarks>
internal static class ReportFigures
{
    private const string Microseconds = "_us";

    /// <summary>
    /// All figures by path, in the report's order. True and false are 1 and 0; an unknown figure is <see langword="null"/>.
    /// </summary>
    public static IReadOnlyList<(string Path, double? Value)> All(JsonObject report) =>
        report.Where(static pair => pair.Key != "machine").SelectMany(static pair => Flatten(pair.Key, pair.Value)).ToArray();

    /// <summary>Finds a figure by its path, or else the first one with this name in the CSV, or else with this short name.</summary>
    /// <returns>Whether there is such a figure; its value may still be unknown.</returns>
    public static bool TryFind(JsonObject report, string key, out double? value)
    {
        IReadOnlyList<(string Path, double? Value)> all = All(report);
        foreach (Func<string, string> name in (Func<string, string>[])[static path => path, CsvName, ShortName])
        {
            foreach ((string path, double? found) in all)
            {
                if (name(path) == key)
                {
                    value = found;
                    return true;
                }
            }
        }

        value = null;
        return false;
    }

    private static IEnumerable<(string Path, double? Value)> Flatten(string path, JsonNode? node) => node switch
    {
        JsonObject owner => owner.SelectMany(pair => Flatten($"{path}.{pair.Key}", pair.Value)),
        JsonArray => [],
        JsonValue value when value.TryGetValue(out double number) => [(path, number)],
        JsonValue value when value.TryGetValue(out long number) => [(path, number)], // made in this process, not parsed
        JsonValue value when value.TryGetValue(out int number) => [(path, number)],
        JsonValue value when value.TryGetValue(out bool flag) => [(path, flag ? 1 : 0)],
        null => [(path, null)],
        _ => [],
    };

    private static string CsvName(string path) => path.Replace('.', '_');

    // The unit of percentiles is in their parent's name.
    private static string ShortName(string path)
    {
        string[] keys = path.Split('.');
        bool isPercentile = keys.Length > 1 && keys[^2].EndsWith(Microseconds, StringComparison.Ordinal);
        return isPercentile ? keys[^1] + Microseconds : keys[^1];
    }
}
