namespace PlayChat.Core.Dispatch;

/// <summary>
/// Sees packets before their handlers, and messages before they are sent: for logging, authorization, validation, timing. One serves all
/// connections, so it must be thread-safe.
/// </summary>
/// <remarks>
/// <para>
/// What a received packet passes, in this order: the router's rate limit, the router's filters as they were added (unknown ids and
/// malformed bodies included), the route's rate limit, the login, the route's filters as they were added, the decoding, the handler. Each
/// filter calls the next by <see cref="IncomingPacket.NextAsync"/>, and hears of the handler's end and its exceptions by awaiting that; one
/// that does not call it ends the packet's way: nothing is answered but what it answers itself.
/// </para>
/// <para>What is sent passes the router's filters in the same order. A route's filters see received packets alone. The answer to a request
/// (<see cref="PacketSending.RequestAsync"/>) goes to the code that made the request: it passes no filters and no rate limits when it is
/// received.</para>
/// </remarks>
public abstract class PacketFilter
{
    /// <summary>
    /// Whether it is to see received packets; asked once, when a router gets it. Default true. Without such a filter they go straight to
    /// their handlers.
    /// </summary>
    protected internal virtual bool SeesReceived => true;

    /// <summary>
    /// Whether it is to see what is sent; asked once, when a router gets it. Default true. A send that passes a filter allocates: say false
    /// where <see cref="OnSend"/> is not overridden.
    /// </summary>
    protected internal virtual bool SeesSent => true;

    /// <summary>Sees a received packet, on its sender's receive loop; must not block.</summary>
    /// <param name="packet">Used again afterwards: not to be kept.</param>
    /// <remarks>Completing synchronously allocates nothing. What it throws counts as the handler's fault.</remarks>
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
