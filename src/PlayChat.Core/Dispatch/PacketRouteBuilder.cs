namespace PlayChat.Core.Dispatch;

/// <summary>
/// Sets the options of one mapped packet, such as its rate limit and filters. Set them before the start: afterwards each method throws
/// <see cref="InvalidOperationException"/>.
/// </summary>
public sealed class PacketRouteBuilder
{
    private readonly PacketRouter _router;
    private readonly PacketRoute _route;

    internal PacketRouteBuilder(PacketRouter router, PacketRoute route)
    {
        _router = router;
        _route = route;
    }

    /// <summary>
    /// Lets a filter see the packet before its handler, behind those that were added before; see <see cref="PacketFilter"/>.
    /// </summary>
    /// <param name="filter">May be used for several routes.</param>
    public PacketRouteBuilder AddFilter(PacketFilter filter)
    {
        ArgumentNullException.ThrowIfNull(filter);
        _router.RequireNotStarted();
        _route.Filters = [.. _route.Filters, filter];
        return this;
    }

    /// <summary>
    /// Limits how often a connection may send the packet, by a token bucket: as many as <paramref name="count"/> at once, and as many in
    /// <paramref name="perSeconds"/> in the long run. One more is refused: see <see cref="PacketRouter.OnRateLimited"/>.
    /// </summary>
    /// <param name="count">How many packets, 1 to 1,000,000.</param>
    /// <param name="perSeconds">In how many seconds, 0.001 to 86,400.</param>
    /// <exception cref="ArgumentOutOfRangeException">One of them is out of its range.</exception>
    public PacketRouteBuilder RateLimit(int count, double perSeconds = 1)
    {
        _router.RequireNotStarted();
        _route.LimitSetting = RateLimitSetting.Of(count, perSeconds);
        return this;
    }

    /// <summary>
    /// Limits how large the packet's body may be. A larger one is malformed and is not decoded: see <see cref="PacketRouter.OnMalformed"/>.
    /// Without it the framing's limit applies.
    /// </summary>
    /// <param name="bytes">How many bytes, 0 to 268,435,456.</param>
    /// <exception cref="ArgumentOutOfRangeException">It is out of its range.</exception>
    public PacketRouteBuilder MaxBodyBytes(int bytes)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(bytes);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(bytes, FrameLimits.LargestFrameBytes);
        _router.RequireNotStarted();
        _route.MaxBodyBytes = bytes;
        return this;
    }

    /// <summary>
    /// Refuses the packet before the login, regardless of <see cref="PacketRouter.RequireLogin"/>. It has no effect in the router of a
    /// client, which knows no logins.
    /// </summary>
    public PacketRouteBuilder RequireLogin()
    {
        _router.RequireNotStarted();
        _route.LoginSetting = true;
        return this;
    }

    /// <summary>Handles the packet also before the login, regardless of <see cref="PacketRouter.RequireLogin"/>.</summary>
    public PacketRouteBuilder AllowBeforeLogin()
    {
        _router.RequireNotStarted();
        _route.LoginSetting = false;
        return this;
    }
}
