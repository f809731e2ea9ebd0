namespace PlayChat.Core.Dispatch;

/// <summary>What applies to one mapped packet beside its handler. Set before start.</summary>
public sealed class PacketRouteBuilder
{
    private readonly PacketRoute _route;

    internal PacketRouteBuilder(PacketRoute route)
    {
        _route = route;
    }

    /// <summary>Handles the packet after login alone, whatever <see cref="PacketRouter.RequireLogin"/> says. A client's connection has no login: it has no effect there.</summary>
    public PacketRouteBuilder RequireLogin()
    {
        _route.NeedsLogin = true;
        return this;
    }

    /// <summary>Handles the packet before login, too, whatever <see cref="PacketRouter.RequireLogin"/> says.</summary>
    public PacketRouteBuilder AllowBeforeLogin()
    {
        _route.NeedsLogin = false;
        return this;
    }
}
