using PlayChat.Core.Rooms;

namespace PlayChat.Core.Dispatch;

/// <summary>What is behind one packet id: a kind of packet and its handler.</summary>
internal abstract class PacketRoute(PacketType type)
{
    internal PacketType Type { get; } = type;

    /// <summary>What the application mapped, to name it in errors.</summary>
    internal Delegate? Handler { get; set; }

    /// <summary>Whether a login is needed, where the route says so itself; otherwise the router does.</summary>
    internal bool? LoginSetting { get; set; }

    /// <summary>How often the packet may come, if that is limited.</summary>
    internal RateLimitSetting? LimitSetting { get; set; }

    /// <summary>The largest body that is decoded, in bytes.</summary>
    internal int MaxBodyBytes { get; set; } = int.MaxValue;

    /// <summary>What sees the packet: the route's own filters; from the router's start on its filters, then the route's.</summary>
    internal PacketFilter[] Filters { get; set; } = [];

    /// <summary>Handles the packet. This and the following are set when the router starts.</summary>
    internal PacketDispatcher Dispatcher { get; set; } = null!;

    internal bool NeedsLogin { get; set; }

    internal RateLimit? Limit { get; set; }

    /// <summary>Whether more than a login stands before the packet's decoding.</summary>
    internal bool IsGuarded { get; set; }

    /// <summary>Measures the packet while a listener subscribes.</summary>
    internal PacketFigures Figures { get; set; } = null!;

    /// <summary>Decides whether a packet is traced.</summary>
    internal TraceSampling Traces { get; set; } = null!;

    /// <summary>The type of the room that handles the packet; <see langword="null"/> if none does.</summary>
    internal virtual Type? Room => null;

    /// <summary>Names the handler in an error.</summary>
    internal string DescribeHandler()
    {
        string name = Handler is null ? "a handler" : DelegateName.Of(Handler);
        bool isGenerated = name.EndsWith(".MapPacketHandlers", StringComparison.Ordinal); // the lambdas of the source generator
        return (isGenerated ? "a [Packet] method" : name) + (Room is null ? "" : $" of {Room.Name}");
    }

    /// <summary>What handles the packet in a room's turn; <see langword="null"/> if it is not handled there.</summary>
    internal virtual RoomInvoker? RoomInvoker => null;

    /// <summary>Decodes and handles.</summary>
    /// <returns><see langword="false"/> when the body is no such message.</returns>
    internal abstract bool TryHandle(PacketContext context, in Frame frame, out ValueTask handling);

    /// <summary>Handles what was decoded before.</summary>
    internal abstract ValueTask HandleObject(PacketContext context, object message);
}
