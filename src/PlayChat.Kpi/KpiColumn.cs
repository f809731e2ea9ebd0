using System.Globalization;

namespace PlayChat.Kpi;

/// <summary>A column of the table: its title, and an interval's figure as text that fits below it.</summary>
internal readonly record struct KpiColumn(string Title, Func<KpiInterval, string> Read)
{
    internal const double Megabyte = 1_000_000;

    // Seven digits; larger numbers are shortened.
    private const int MinWidth = 7;

    internal int Width => Math.Max(Title.Length, MinWidth);

    internal static KpiColumn Whole(string title, Func<KpiInterval, double> read) => new(title, i => Shorten(read(i), "0"));

    internal static KpiColumn Fraction(string title, Func<KpiInterval, double> read) => new(title, i => Adapt(read(i)));

    /// <summary>One digit after the point as long as that says something.</summary>
    internal static string Adapt(double value) => Shorten(value, Math.Abs(value) < 1000 ? "0.0" : "0");

    private static string Shorten(double value, string format) => Math.Abs(value) switch
    {
        double.NaN => "-",
        < 9_999_999.5 => value.ToString(format, CultureInfo.InvariantCulture),
        < 9_999_950_000 => (value / 1e6).ToString("0.0", CultureInfo.InvariantCulture) + "M",
        _ => (value / 1e9).ToString("0.0", CultureInfo.InvariantCulture) + "G",
    };
}
