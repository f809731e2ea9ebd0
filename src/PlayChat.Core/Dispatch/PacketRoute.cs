using PlayChat.Core.Framing;
using PlayChat.Core.Packets;

namespace PlayChat.Core.Dispatch;

/// <summary>What is behind one packet id: a kind of packet and its handler.</summary>
internal abstract class PacketRoute(PacketType type)
{
    internal PacketType Type { get; } = type;

    /// <summary>Whether a login is needed, where the route says so itself; otherwise the router does.</summary>
    internal bool? NeedsLogin { get; set; }

    /// <summary>Whether something is looked at before the packet is decoded. Set when the router is complete.</summary>
    internal bool IsGuarded { get; set; }

    /// <summary>Decodes and handles.</summary>
    /// <param name="context">Who sent it.</param>
    /// <param name="frame">What was sent.</param>
    /// <param name="handling">The handler's work.</param>
    /// <returns><see langword="false"/> when the body is no such message.</returns>
    internal abstract bool TryHandle(PacketContext context, in Frame frame, out ValueTask handling);
}
