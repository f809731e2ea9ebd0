namespace PlayChat.Benchmark.Figures;

/// <summary>Formats figures with three or four significant digits, and the unit.</summary>
internal static class FigureText
{
    /// <summary>Formats a value with its unit. A time gets the unit that people read: 437 µs, 8.12 ms, 2.19 s.</summary>
    public static string Format(double value, string unit) => unit switch
    {
        "" => Number(value),
        "%" => Number(value) + "%",
        "µs" => Time(value, Number),
        "ms" => Time(value * 1e3, Number),
        _ => $"{Number(value)} {unit}",
    };

    /// <summary>Whether <see cref="Format"/> may choose another unit, so that a value needs its own beside it.</summary>
    public static bool IsTime(string unit) => unit is "µs" or "ms";

    /// <summary>Formats a value for a column whose title has the unit, unless it is a time.</summary>
    public static string InColumn(double value, string unit) => IsTime(unit) ? Format(value, unit) : Number(value);

    /// <summary>Formats a value: 0.0123, 0.123, 1.23, 12.3, 123, 1,234,567.</summary>
    public static string Number(double value) => Math.Abs(value) switch
    {
        0 => "0",
        < 1 => ((decimal)value).ToString("0." + new string('#', SmallDigits(value)), CultureInfo.InvariantCulture),
        < 10 => value.ToString("0.##", CultureInfo.InvariantCulture),
        < 100 => value.ToString("0.#", CultureInfo.InvariantCulture),
        _ => value.ToString("#,0", CultureInfo.InvariantCulture),
    };

    /// <summary>Formats a published value with all of its digits.</summary>
    public static string Exact(double value) => value.ToString("#,0.#########", CultureInfo.InvariantCulture);

    /// <summary>Formats a published value for a column whose title has the unit, unless it is a time: 2.954 s, 456 µs.</summary>
    public static string ExactInColumn(double value, string unit) => unit switch
    {
        "µs" => Time(value, Exact),
        "ms" => Time(value * 1e3, Exact),
        _ => Exact(value),
    };

    /// <summary>Formats a value for an axis: 1.5 M, 200 k.</summary>
    public static string Short(double value) => Math.Abs(value) switch
    {
        >= 999_500_000 => $"{Number(value / 1e9)} G",
        >= 999_500 => $"{Number(value / 1e6)} M",
        >= 9_999.5 => $"{Number(value / 1e3)} k",
        _ => Number(value),
    };

    /// <summary>Formats a ratio: 1.36×, 12.5×.</summary>
    public static string Times(double ratio) =>
        double.IsPositiveInfinity(ratio) ? "∞×" : ratio.ToString(ratio < 10 ? "0.00" : "0.0", CultureInfo.InvariantCulture) + "×";

    public static string PercentChange(double earlier, double now) => earlier == 0
        ? now == 0 ? "0 %" : "new"
        : ((now - earlier) / Math.Abs(earlier) * 100).ToString("+0.0;-0.0;0.0", CultureInfo.InvariantCulture) + " %";

    /// <summary>Formats a size as experiments name their cases: 64 B, 4 KB.</summary>
    public static string Size(int bytes) => bytes >= 1024 && bytes % 1024 == 0 ? $"{bytes / 1024} KB" : $"{bytes} B";

    public static string Count(int count, string one, string several) => $"{count} {(count == 1 ? one : several)}";

    /// <summary>Formats the time of a suite: 42 s, 9 min 41 s, 2 h 5 min.</summary>
    public static string Duration(TimeSpan time) => time.TotalMinutes < 1 ? $"{time.TotalSeconds:0} s"
        : time.TotalHours < 1 ? $"{time.Minutes} min {time.Seconds} s"
        : $"{(int)time.TotalHours} h {time.Minutes} min";

    private static string Time(double microseconds, Func<double, string> format) => Math.Abs(microseconds) switch
    {
        < 999.5 => format(microseconds) + " µs",
        < 999_500 => format(microseconds / 1e3) + " ms",
        _ => format(microseconds / 1e6) + " s",
    };

    private static int SmallDigits(double value) => 2 - (int)Math.Floor(Math.Log10(Math.Max(Math.Abs(value), 1e-12)));
}
