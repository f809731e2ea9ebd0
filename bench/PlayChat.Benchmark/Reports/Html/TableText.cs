using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Reports.Suite;

namespace PlayChat.Benchmark.Reports.Html;

/// <summary>The pieces that several tables share.</summary>
internal static class TableText
{
    /// <summary>A server's name, which says whether its figures were published.</summary>
    public static string Name(CaseRow row) => row.Published ? $"published: {row.Subject}" : row.Subject;

    /// <summary>Lowest and highest value in small letters; empty when both read the same.</summary>
    public static HtmlText Range(FigureRange range, Func<double, string> format) => format(range.Min) == format(range.Max)
        ? new HtmlText()
        : new HtmlText($"<small>{format(range.Min)}–{format(range.Max)}</small>");

    /// <summary>The class in report.css.</summary>
    public static string Class(Standing standing) => standing.ToString().ToLowerInvariant();

    /// <summary>The sign before a ratio or a change, so that color is not the only sign.</summary>
    public static string Sign(Standing standing) => standing switch
    {
        Standing.Ahead => "▲",
        Standing.Behind => "▼",
        Standing.NotValid => SuiteText.Mark,
        _ => "≈",
    };
}
