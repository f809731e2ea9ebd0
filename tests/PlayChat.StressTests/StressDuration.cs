using System.Globalization;

namespace PlayChat.StressTests;

/// <summary>How long a stress test runs: ten minutes, or as many seconds as the environment variable <c>STRESS_SECONDS</c> says.</summary>
internal static class StressDuration
{
    public static TimeSpan Value { get; } = Environment.GetEnvironmentVariable("STRESS_SECONDS") is { Length: > 0 } seconds
        ? TimeSpan.FromSeconds(double.Parse(seconds, CultureInfo.InvariantCulture))
        : TimeSpan.FromMinutes(10);
}
