using System.Text.Json.Nodes;

namespace PlayChat.Benchmark.Reports;

/// <summary>A run's report as a list of figures. Each has its path in the JSON (<c>rtt_us.p99</c>), its name in the CSV (<c>rtt_us_p99</c>) and a short one (<c>p99_us</c>).</summary>
internal static class ReportFigures
{
    private const string Microseconds = "_us";

    /// <summary>All of them by path, in the report's order; true and false are 1 and 0, what is not known is <see langword="null"/>.</summary>
    public static IReadOnlyList<(string Path, double? Value)> All(JsonObject report) =>
        report.Where(static pair => pair.Key != "machine").SelectMany(static pair => Flatten(pair.Key, pair.Value)).ToArray();

    /// <summary>Finds one by its path or, failing that, by the first that has it as another name.</summary>
    /// <returns>Whether there is one; its value may still be unknown.</returns>
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

    // The percentiles' unit stands in their parent's name.
    private static string ShortName(string path)
    {
        string[] keys = path.Split('.');
        return keys.Length > 1 && keys[^2].EndsWith(Microseconds, StringComparison.Ordinal) ? keys[^1] + Microseconds : keys[^1];
    }
}
