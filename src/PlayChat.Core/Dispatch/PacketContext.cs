using PlayChat.Core.Rooms;

namespace PlayChat.Core.Dispatch;

/// <summary>The sender and the ids of a received packet. A handler answers with it, and may keep it.</summary>
public readonly record struct PacketContext
{
    internal PacketContext(Connection connection, ushort packetId, ushort requestId)
    {
        Connection = connection;
        PacketId = packetId;
        RequestId = requestId;
    }

    /// <summary>The sender's link.</summary>
    public Connection Connection { get; init; }

    /// <summary>The packet's id.</summary>
    public ushort PacketId { get; init; }

    /// <summary>The request id that an answer must carry; 0 if the sender expects no answer.</summary>
    public ushort RequestId { get; init; }

    /// <summary>The session that sent the packet to a server.</summary>
    /// <exception cref="InvalidOperationException">The packet came to a client.</exception>
    public Session Session => Session.Of(Connection);

    /// <summary>The rooms of the server that received the packet.</summary>
    /// <exception cref="InvalidOperationException">The packet came to a client.</exception>
    public RoomRegistry Rooms =>
        Connection.Services.Get<RoomRegistry>()
        ?? throw new InvalidOperationException("Only a connection that a server accepted has rooms.");

    /// <summary>The sessions of the server that received the packet, for a login, a resume or a message to everybody.</summary>
    /// <exception cref="InvalidOperationException">The packet came to a client.</exception>
    public SessionRegistry Sessions =>
        Connection.Services.Get<SessionRegistry>()
        ?? throw new InvalidOperationException("Only a connection that a server accepted has sessions.");

    /// <summary>Answers the sender with a message.</summary>
    /// <param name="message">The answer; not kept.</param>
    /// <param name="type">The type of packet. Default: the one packet of the <see cref="PacketSet"/> that carries the message.</param>
    /// <returns>See <see cref="Connection.Send(ReadOnlySpan{byte}, Framing.FrameHeader, Delivery)"/>.</returns>
    /// <exception cref="InvalidOperationException">
    /// There is no <paramref name="type"/>, and no packet of the <see cref="PacketSet"/>, or more than one, carries
    /// <typeparamref name="TMessage"/>.
    /// </exception>
    public bool Reply<TMessage>(TMessage message, PacketType<TMessage>? type = null) =>
        Connection.SendPacket(message, RequestId, type: type);
}
