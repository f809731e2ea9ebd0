namespace PlayChat.Core.Dispatch;

/// <summary>So many packets in so much time.</summary>
internal readonly record struct RateLimitSetting(int Count, double PerSeconds)
{
    /// <exception cref="ArgumentOutOfRangeException">A value is out of its range.</exception>
    internal static RateLimitSetting Of(int count, double perSeconds)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(count, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(count, 1_000_000);
        if (perSeconds is not (>= 0.001 and <= 86_400))
        {
            throw new ArgumentOutOfRangeException(nameof(perSeconds), perSeconds, "Allowed is 0.001 to 86,400.");
        }

        return new RateLimitSetting(count, perSeconds);
    }
}
