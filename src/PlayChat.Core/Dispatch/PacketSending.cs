using PlayChat.Core.Connections;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;

namespace PlayChat.Core.Dispatch;

/// <summary>Sends messages as packets.</summary>
public static class PacketSending
{
    /// <summary>Sends a message as the packet that carries it, encoded straight into the outbound queue. Never waits.</summary>
    /// <param name="connection">Of a server or a connector that was given a <see cref="PacketSet"/>.</param>
    /// <param name="message">What is sent; not kept.</param>
    /// <param name="requestId">That of the request which this answers; 0 for none.</param>
    /// <param name="delivery">What may become of it while something waits for the peer. Default <see cref="Delivery.Reliable"/>.</param>
    /// <returns>See <see cref="Connection.Send(ReadOnlySpan{byte}, FrameHeader, Delivery)"/>.</returns>
    /// <exception cref="InvalidOperationException">
    /// No packet of the set, or more than one, carries <typeparamref name="TMessage"/>.
    /// </exception>
    /// <exception cref="ArgumentException">The message is larger than the format can carry.</exception>
    public static bool SendPacket<TMessage>(
        this Connection connection, TMessage message, ushort requestId = 0, Delivery delivery = default)
    {
        ArgumentNullException.ThrowIfNull(connection);
        return connection.Send(connection.Services.Packets.Get<TMessage>(), message, requestId, delivery);
    }

    /// <summary>Sends a message as a kind of packet, encoded straight into the outbound queue. Never waits.</summary>
    /// <param name="connection">Its format must carry packet ids.</param>
    /// <param name="type">The kind of packet.</param>
    /// <param name="message">What is sent; not kept.</param>
    /// <param name="requestId">That of the request which this answers; 0 for none.</param>
    /// <param name="delivery">What may become of it while something waits for the peer. Default <see cref="Delivery.Reliable"/>.</param>
    /// <returns>See <see cref="Connection.Send(ReadOnlySpan{byte}, FrameHeader, Delivery)"/>.</returns>
    /// <exception cref="ArgumentException">The message is larger than the format can carry.</exception>
    public static bool Send<TMessage>(
        this Connection connection, PacketType<TMessage> type, TMessage message, ushort requestId = 0, Delivery delivery = default)
    {
        ArgumentNullException.ThrowIfNull(connection);
        ArgumentNullException.ThrowIfNull(type);
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
