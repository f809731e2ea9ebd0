using PlayChat.Benchmark.Figures;

namespace PlayChat.Benchmark.Reports.Html;

/// <summary>Turns a key of a report into a title. The key's ending names the unit.</summary>
internal static class KeyText
{
    private static readonly (string Ending, string Unit, double Scale)[] s_endings =
    [
        ("_per_s", "/s", 1),
        ("_percent", "%", 1),
        ("_bytes", "MB", 1e-6),
        ("_us", "µs", 1),
        ("_ms", "ms", 1),
        ("_s", "s", 1),
    ];

    /// <summary>
    /// The title with its unit: "server CPU, %". A time has none, since <see cref="OnAxis"/> writes one beside each value.
    /// </summary>
    public static string Title(string key)
    {
        (string ending, string unit, _) = Ending(key);
        string[] words = key[(key.LastIndexOf('.') + 1)..] is var last && last.EndsWith(ending, StringComparison.Ordinal)
            ? last[..^ending.Length].Split('_')
            : last.Split('_');
        string title = string.Join(' ', words).Replace("cpu", "CPU", StringComparison.Ordinal);
        return unit.Length == 0 || FigureText.IsTime(unit) ? title : unit == "/s" ? title + "/s" : $"{title}, {unit}";
    }

    /// <summary>Formats a value of the key for an axis.</summary>
    public static string OnAxis(string key, double value) => FigureText.OnAxis(value, Ending(key).Unit);

    /// <summary>The factor that converts a value of the report to that unit.</summary>
    public static double Scale(string key) => Ending(key).Scale;

    // In "latency_us.p99" the unit is in the parent's name.
    private static (string Ending, string Unit, double Scale) Ending(string key) => s_endings.FirstOrDefault(
        ending => key.Split('.').Reverse().Any(part => part.EndsWith(ending.Ending, StringComparison.Ordinal)),
        (string.Empty, string.Empty, 1));
}
