namespace PlayChat.Core.Dispatch;

/// <summary>
/// Sees packets before their handlers, and messages before they are sent: for logging, authorization, validation, timing. One
/// instance serves all connections, so it must be thread-safe.
/// </summary>
/// <remarks>
/// <para>
/// A received packet passes, in this order: the router's rate limit, the router's filters as they were added (unknown ids and
/// malformed bodies included), the route's rate limit, the login, the route's filters as they were added, the decoding, the handler.
/// </para>
/// <para>
/// A filter calls the next one by <see cref="IncomingPacket.NextAsync"/>. If it awaits that call, it continues when the handler has
/// completed, and sees the handler's exceptions. If a filter does not make that call, the packet ends there: the sender gets
/// no answer except one that the filter itself sends.
/// </para>
/// <para>Sent messages pass the router's filters in the same order. A route's filters see only received packets. The answer to a request
/// (<see cref="Connection.RequestAsync"/>) goes to the code that made the request: it passes no filters and no rate limits when it is
/// received.</para>
/// </remarks>
public abstract class PacketFilter
{
    /// <summary>
    /// Whether the filter sees received packets. The router reads the value once, when the filter is added. Default true. A router without
    /// such a filter passes packets directly to their handlers.
    /// </summary>
    protected internal virtual bool SeesReceived => true;

    /// <summary>
    /// Whether the filter sees sent messages. The router reads the value once, when the filter is added. Default true. A send that passes a
    /// filter allocates, so return false if you do not override <see cref="OnSend"/>.
    /// </summary>
    protected internal virtual bool SeesSent => true;

    /// <summary>Sees a received packet, on its sender's receive loop; must not block.</summary>
    /// <param name="packet">The packet. Do not keep it: PlayChat reuses the object afterwards.</param>
    /// <remarks>Completing synchronously allocates nothing. An exception counts as a fault of the handler.</remarks>
    protected internal virtual ValueTask OnReceiveAsync(IncomingPacket packet)
    {
        ArgumentNullException.ThrowIfNull(packet);
        return packet.NextAsync();
    }

    /// <summary>Sees a message that is sent as a packet, on the thread that sends it, maybe in a room's turn; must not block.</summary>
    /// <param name="packet">Valid during the call.</param>
    /// <returns>
    /// What the send returns: that of <see cref="OutgoingPacket.Next"/>, or <see langword="false"/> where it was not called, and so nothing
    /// is sent.
    /// </returns>
    /// <remarks>What it throws comes out of the send.</remarks>
    protected internal virtual bool OnSend(OutgoingPacket packet)
    {
        ArgumentNullException.ThrowIfNull(packet);
        return packet.Next();
    }
}
