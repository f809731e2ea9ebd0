using System.Globalization;
using PlayChat.Benchmark.Failures;

namespace PlayChat.Benchmark.Cli;

/// <summary>Parses times: <c>50ms</c>, <c>1.5s</c>, <c>200us</c>.</summary>
internal static class TimeText
{
    private const double MaxSeconds = 86_400;

    private static readonly (string Unit, double Seconds)[] s_units = [("ms", 1e-3), ("us", 1e-6), ("s", 1)];

    /// <summary>Checks a time and returns its text.</summary>
    /// <exception cref="UsageException">The text is not a time.</exception>
    public static string Check(string text, string option)
    {
        Parse(text, option);
        return text;
    }

    /// <exception cref="UsageException">The text is not a time.</exception>
    public static TimeSpan Parse(string text, string option)
    {
        foreach ((string unit, double factor) in s_units)
        {
            if (text.EndsWith(unit, StringComparison.Ordinal)
                && double.TryParse(
                    text.AsSpan(0, text.Length - unit.Length),
                    NumberStyles.AllowDecimalPoint,
                    CultureInfo.InvariantCulture,
                    out double number)
                && number * factor is > 0 and <= MaxSeconds)
            {
                return TimeSpan.FromMicroseconds(number * factor * 1e6);
            }
        }

        throw new UsageException($"{option} takes a time such as 50ms, 1.5s or 200us, not '{text}'.");
    }
}
