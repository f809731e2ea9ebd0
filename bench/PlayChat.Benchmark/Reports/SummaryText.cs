namespace PlayChat.Benchmark.Reports;

/// <summary>The report of one run for a terminal: its keys with their values, a line for each object. Unknown ones are left out.</summary>
internal static class SummaryText
{
    private const int TitleWidth = 14;

    // Shown before, or of no interest on a terminal.
    private static readonly string[] s_hidden = ["intervals", "machine", "command_line", "started_at", "each", "invalid_because"];

    public static string Format(RunReport report, IReadOnlyList<string> faults)
    {
        string[] invalid = report.Json["invalid_because"] is { } why ? [Line("NOT VALID", why.ToString())] : [];
        return string.Join('\n', Lines("run", report.Json).Concat(invalid).Concat(faults.Select(static fault => Line("fault", fault))));
    }

    private static IEnumerable<string> Lines(string title, JsonObject owner)
    {
        KeyValuePair<string, JsonNode?>[] shown = [.. owner.Where(static pair => !s_hidden.Contains(pair.Key, StringComparer.Ordinal))];
        string values = string.Join(", ", shown
            .Where(static pair => pair.Value is JsonValue).Select(static pair => $"{pair.Key} {Format(pair.Value!)}"));
        return shown.SelectMany(static pair => pair.Value switch
        {
            JsonObject inner => Lines(pair.Key, inner),
            JsonArray list => list.OfType<JsonObject>().SelectMany(item => Lines(pair.Key, item)),
            _ => [],
        }).Prepend(Line(title, values));
    }

    private static string Line(string title, string text) => $"{title.PadRight(TitleWidth)} {text}";

    private static string Format(JsonNode value) => value.GetValueKind() != JsonValueKind.Number
        ? value.ToString()
        : double.Parse(value.ToJsonString(), CultureInfo.InvariantCulture) is var number && Math.Abs(number) < 1000
            ? number.ToString("0.###", CultureInfo.InvariantCulture)
            : number.ToString("#,0", CultureInfo.InvariantCulture);
}
