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
    /// <returns>See <see cref="Connection.Send(ReadOnlySpan{byte}, FrameHeader)"/>.</returns>
    /// <exception cref="InvalidOperationException">
    /// No packet of the set, or more than one, carries <typeparamref name="TMessage"/>.
    /// </exception>
    /// <exception cref="ArgumentException">The message is larger than the format can carry.</exception>
    public static bool SendPacket<TMessage>(this Connection connection, TMessage message, ushort requestId = 0)
    {
        ArgumentNullException.ThrowIfNull(connection);
        return connection.Send(connection.Packets.Get<TMessage>(), message, requestId);
    }

    /// <summary>Sends a message of a class that the peer may lose as the packet that carries it. Never waits.</summary>
    /// <param name="connection">Of a server or a connector that was given a <see cref="PacketSet"/>.</param>
    /// <param name="message">What is sent; not kept.</param>
    /// <param name="delivery">What may become of it while something waits for the peer.</param>
    /// <returns>See <see cref="Connection.Send(ReadOnlySpan{byte}, FrameHeader, Delivery)"/>.</returns>
    /// <exception cref="InvalidOperationException">
    /// No packet of the set, or more than one, carries <typeparamref name="TMessage"/>.
    /// </exception>
    /// <exception cref="ArgumentException">The message is larger than the format can carry.</exception>
    public static bool SendPacket<TMessage>(this Connection connection, TMessage message, Delivery delivery)
    {
        ArgumentNullException.ThrowIfNull(connection);
        return connection.Send(connection.Packets.Get<TMessage>(), message, delivery);
    }

    /// <summary>Sends a message of a class that the peer may lose as a kind of packet. Never waits.</summary>
    /// <param name="connection">Its format must carry packet ids.</param>
    /// <param name="type">The kind of packet.</param>
    /// <param name="message">What is sent; not kept.</param>
    /// <param name="delivery">What may become of it while something waits for the peer.</param>
    /// <returns>See <see cref="Connection.Send(ReadOnlySpan{byte}, FrameHeader, Delivery)"/>.</returns>
    /// <exception cref="ArgumentException">The message is larger than the format can carry.</exception>
    public static bool Send<TMessage>(this Connection connection, PacketType<TMessage> type, TMessage message, Delivery delivery)
    {
        ArgumentNullException.ThrowIfNull(connection);
        ArgumentNullException.ThrowIfNull(type);
        return connection.Outlet is { } outlet
            ? outlet.Send(
                connection,
                1,
                type,
                message,
                0,
                (connection, delivery),
                static (to, packet, content, _) => SendNow(to.connection, packet, content, to.delivery))
            : SendNow(connection, type, message, delivery);
    }

    /// <summary>Sends a message as a kind of packet, encoded straight into the outbound queue. Never waits.</summary>
    /// <param name="connection">Its format must carry packet ids.</param>
    /// <param name="type">The kind of packet.</param>
    /// <param name="message">What is sent; not kept.</param>
    /// <param name="requestId">That of the request which this answers; 0 for none.</param>
    /// <returns>See <see cref="Connection.Send(ReadOnlySpan{byte}, FrameHeader)"/>.</returns>
    /// <exception cref="ArgumentException">The message is larger than the format can carry.</exception>
    public static bool Send<TMessage>(this Connection connection, PacketType<TMessage> type, TMessage message, ushort requestId = 0)
    {
        ArgumentNullException.ThrowIfNull(connection);
        ArgumentNullException.ThrowIfNull(type);
        return connection.Outlet is { } outlet
            ? outlet.Send(connection, 1, type, message, requestId, connection, SendNow)
            : SendNow(connection, type, message, requestId);
    }

    private static bool SendNow<TMessage>(
        Connection connection, PacketType<TMessage> type, TMessage message, Delivery delivery) => connection.Send(
        type.Header(),
        type.GetBodyBytes(message),
        (type, message),
        static (destination, packet) => packet.type.Encode(packet.message, destination),
        delivery);

    private static bool SendNow<TMessage>(
        Connection connection, PacketType<TMessage> type, TMessage message, ushort requestId) => connection.Send(
        type.Header(requestId),
        type.GetBodyBytes(message),
        (type, message),
        static (destination, packet) => packet.type.Encode(packet.message, destination));
}
