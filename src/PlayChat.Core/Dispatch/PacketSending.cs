using PlayChat.Core.Connections;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;

namespace PlayChat.Core.Dispatch;

/// <summary>Sends messages as packets, and requests that are answered.</summary>
public static partial class PacketSending
{
    /// <summary>Sends a message as a packet, encoded straight into the outbound queue. Never waits.</summary>
    /// <param name="connection">Its format must carry packet ids.</param>
    /// <param name="message">What is sent; not kept.</param>
    /// <param name="requestId">That of the request which this answers; 0 for none.</param>
    /// <param name="delivery">What may become of it while something waits for the peer. Default <see cref="Delivery.Reliable"/>.</param>
    /// <param name="type">
    /// The type of packet. Default: the one packet that carries the message, of the <see cref="PacketSet"/> that the server or the
    /// connector was given.
    /// </param>
    /// <returns>See <see cref="Connection.Send(ReadOnlySpan{byte}, FrameHeader, Delivery)"/>.</returns>
    /// <exception cref="InvalidOperationException">
    /// There is no <paramref name="type"/>, and no packet of the set, or more than one, carries <typeparamref name="TMessage"/>.
    /// </exception>
    /// <exception cref="ArgumentException">The message is larger than the format can carry.</exception>
    public static bool SendPacket<TMessage>(
        this Connection connection,
        TMessage message,
        ushort requestId = 0,
        Delivery delivery = default,
        PacketType<TMessage>? type = null)
    {
        ArgumentNullException.ThrowIfNull(connection);
        type ??= connection.Services.Packets.Get<TMessage>();
        return connection.Services.Outlet is { } outlet
            ? outlet.Send(
                connection,
                1,
                type,
                message,
                requestId,
                (connection, delivery),
                static (to, packet, content, request) => SendNow(to.connection, packet, content, request, to.delivery))
            : SendNow(connection, type, message, requestId, delivery);
    }

    private static bool SendNow<TMessage>(
        Connection connection, PacketType<TMessage> type, TMessage message, ushort requestId, Delivery delivery) => connection.Send(
        type.Header(requestId),
        type.GetBodyBytes(message),
        (type, message),
        static (destination, packet) => packet.type.Encode(packet.message, destination),
        delivery);
}
