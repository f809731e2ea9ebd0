namespace PlayChat.Core.Dispatch;

/// <summary>
/// How often a session may send the packet; on a class: each of its packets for itself. See <see cref="PacketRouteBuilder.RateLimit"/>.
/// </summary>
/// <param name="count">How many packets, 1 to 1,000,000.</param>
[AttributeUsage(AttributeTargets.Method | AttributeTargets.Class)]
public sealed class RateLimitAttribute(int count) : Attribute
{
    /// <summary>How many packets, 1 to 1,000,000.</summary>
    internal int Count { get; } = count;

    /// <summary>In how many seconds, 0.001 to 86,400. Default 1.</summary>
    public double PerSeconds { get; set; } = 1;
}
