using System.Globalization;
using PlayChat.Benchmark.Run;

namespace PlayChat.Benchmark.Cli;

/// <summary>Reads times as people write them: <c>50ms</c>, <c>1.5s</c>, <c>200us</c>.</summary>
internal static class TimeText
{
    private const double MaxSeconds = 86_400;

    private static readonly (string Unit, double Seconds)[] s_units = [("ms", 1e-3), ("us", 1e-6), ("s", 1)];

    /// <summary>Gives the text back when it is a time.</summary>
    /// <exception cref="UsageException">It is none.</exception>
    public static string Check(string text, string option)
    {
        Parse(text, option);
        return text;
    }

    /// <exception cref="UsageException">It is none.</exception>
    public static TimeSpan Parse(string text, string option)
    {
        foreach ((string unit, double factor) in s_units)
        {
            if (text.EndsWith(unit, StringComparison.Ordinal)
                && double.TryParse(text.AsSpan(0, text.Length - unit.Length), NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double number)
                && number * factor is > 0 and <= MaxSeconds)
            {
                return TimeSpan.FromMicroseconds(number * factor * 1e6);
            }
        }

        throw new UsageException($"{option} takes a time such as 50ms, 1.5s or 200us, not '{text}'.");
    }
}
