using System.Globalization;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace PlayChat.Benchmark.Reports;

/// <summary>Lines of a title and a text, whose figures come from a report.</summary>
internal sealed class SummaryLines
{
    private const int TitleWidth = 12;

    private static readonly string[] s_percentiles = ["mean", "p50", "p90", "p99", "p999", "max"];

    private readonly StringBuilder _text = new();

    /// <summary>Adds a line.</summary>
    public void Add(string title, string text) => _text.Append(title.PadRight(TitleWidth)).Append(' ').Append(text).Append('\n');

    /// <summary>Adds a line in which every <c>{key}</c> is replaced by that key's figure.</summary>
    public void Add(string title, JsonObject owner, string template) => Add(title, Fill(owner, template));

    /// <summary>Adds a line of percentiles in microseconds.</summary>
    public void AddLatency(string title, JsonNode? latency) => Add(
        title, string.Join(", ", s_percentiles.Select(key => $"{key} {Format(latency![key])}")) + " µs");

    /// <summary>Replaces every <c>{key}</c> of a template by that key's figure; "-" when it is not known.</summary>
    public static string Fill(JsonObject owner, string template)
    {
        var filled = new StringBuilder();
        for (int at = 0; at < template.Length;)
        {
            int open = template.IndexOf('{', at);
            if (open < 0)
            {
                filled.Append(template, at, template.Length - at);
                break;
            }

            int close = template.IndexOf('}', open);
            filled.Append(template, at, open - at).Append(Format(owner[template[(open + 1)..close]]));
            at = close + 1;
        }

        return filled.ToString();
    }

    /// <summary>Formats a figure with thousands separators, or a text as it is; "-" when it is not known.</summary>
    public static string Format(JsonNode? value) => value switch
    {
        null => "-",
        JsonValue text when text.GetValueKind() == JsonValueKind.String => text.ToString(),
        _ => Format(double.Parse(value.ToJsonString(), CultureInfo.InvariantCulture)),
    };

    /// <summary>All lines, without a line feed at the end.</summary>
    public override string ToString() => _text.ToString(0, Math.Max(0, _text.Length - 1));

    private static string Format(double value) => value.ToString(Math.Abs(value) < 1000 ? "#,0.###" : "#,0", CultureInfo.InvariantCulture);
}
