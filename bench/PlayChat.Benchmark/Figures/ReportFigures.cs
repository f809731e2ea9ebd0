namespace PlayChat.Benchmark.Figures;

/// <summary>A run's report as a list of figures.</summary>
/// <remarks>Each has a path in the JSON (<c>rtt_us.p99</c>) and a short name (<c>p99_us</c>).</remarks>
internal static class ReportFigures
{
    private const string Microseconds = "_us";

    /// <summary>All figures by path, in the report's order. True and false are 1 and 0; an unknown figure is null.</summary>
    public static IReadOnlyList<(string Path, double? Value)> All(JsonObject report) =>
        report.Where(static pair => pair.Key != "machine").SelectMany(static pair => Flatten(pair.Key, pair.Value)).ToArray();

    /// <summary>A report; <see langword="null"/> for what is none: nothing, another text, or a line that was cut off.</summary>
    public static JsonObject? TryParse(string text)
    {
        try
        {
            return JsonNode.Parse(text) as JsonObject;
        }
        catch (JsonException)
        {
            return null;
        }
    }

    /// <summary>The figure at a path of keys divided by dots; <see langword="null"/> when the report does not have it.</summary>
    public static double? Read(JsonObject? report, string path)
    {
        JsonNode? node = report;
        foreach (string key in path.Split('.'))
        {
            node = (node as JsonObject)?[key];
        }

        return node is JsonValue value ? Number(value) : null;
    }

    /// <summary>Finds a figure by its path, or else the first one with this short name.</summary>
    /// <returns>Whether there is such a figure; its value may still be unknown.</returns>
    public static bool TryFind(JsonObject report, string key, out double? value)
    {
        (string? path, value) = All(report).OrderByDescending(figure => figure.Path == key)
            .FirstOrDefault(figure => figure.Path == key || ShortName(figure.Path) == key);
        return path is not null;
    }

    private static IEnumerable<(string Path, double? Value)> Flatten(string path, JsonNode? node) => node switch
    {
        JsonObject owner => owner.SelectMany(pair => Flatten($"{path}.{pair.Key}", pair.Value)),
        JsonArray => [],
        JsonValue value when Number(value) is { } number => [(path, number)],
        null => [(path, null)],
        _ => [],
    };

    private static double? Number(JsonValue value) =>
        value.TryGetValue(out double number) ? number
        : value.TryGetValue(out long whole) ? whole // made in this process, not parsed
        : value.TryGetValue(out int small) ? small
        : value.TryGetValue(out bool flag) ? flag ? 1 : 0
        : null;

    // The unit of percentiles is in their parent's name.
    private static string ShortName(string path)
    {
        string[] keys = path.Split('.');
        bool isPercentile = keys.Length > 1 && keys[^2].EndsWith(Microseconds, StringComparison.Ordinal);
        return isPercentile ? keys[^1] + Microseconds : keys[^1];
    }
}
