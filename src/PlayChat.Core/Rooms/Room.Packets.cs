using System.Buffers;
using PlayChat.Core.Connections;
using PlayChat.Core.Packets;
using PlayChat.Core.Sessions;

namespace PlayChat.Core.Rooms;

// The same for messages: encoded once, straight into what all members are sent. Every message passes one of the four methods that take its type.
public abstract partial class Room
{
    /// <summary>Queues a message for every member, as the packet that carries it.</summary>
    /// <param name="message">What is sent; not kept.</param>
    /// <param name="delivery">What a member who reads too slowly may lose; nothing by default.</param>
    /// <exception cref="InvalidOperationException">No packet of the server's <see cref="PacketSet"/>, or more than one, carries <typeparamref name="TMessage"/>.</exception>
    /// <exception cref="ArgumentException">The message is larger than the format can carry.</exception>
    protected void BroadcastPacket<TMessage>(TMessage message, Delivery delivery = default) =>
        BroadcastPacket(_services.Packets.Get<TMessage>(), message, delivery);

    /// <summary>Queues a message for every member, as a kind of packet.</summary>
    /// <param name="type">The kind of packet.</param>
    /// <param name="message">What is sent; not kept.</param>
    /// <param name="delivery">What a member who reads too slowly may lose; nothing by default.</param>
    /// <exception cref="ArgumentException">The message is larger than the format can carry.</exception>
    protected void BroadcastPacket<TMessage>(PacketType<TMessage> type, TMessage message, Delivery delivery = default)
    {
        ArgumentNullException.ThrowIfNull(type);
        if (_services.Outlet is { } outlet)
        {
            outlet.Send(null, _memberCount, type, message, requestId: 0, (Room: this, Delivery: delivery), static (to, type, message, _) => to.Room.BroadcastNow(type, message, to.Delivery));
        }
        else
        {
            BroadcastNow(type, message, delivery);
        }
    }

    /// <summary>Queues a message for every member but one, as the packet that carries it.</summary>
    /// <param name="except">Who does not get it. When it is no member, all members get it.</param>
    /// <param name="message">What is sent; not kept.</param>
    /// <param name="delivery">What a member who reads too slowly may lose; nothing by default.</param>
    /// <exception cref="InvalidOperationException">No packet of the server's <see cref="PacketSet"/>, or more than one, carries <typeparamref name="TMessage"/>.</exception>
    /// <exception cref="ArgumentException">The message is larger than the format can carry.</exception>
    protected void BroadcastPacketExcept<TMessage>(Session except, TMessage message, Delivery delivery = default) =>
        BroadcastPacketExcept(except, _services.Packets.Get<TMessage>(), message, delivery);

    /// <summary>Queues a message for every member but one, as a kind of packet.</summary>
    /// <param name="except">Who does not get it. When it is no member, all members get it.</param>
    /// <param name="type">The kind of packet.</param>
    /// <param name="message">What is sent; not kept.</param>
    /// <param name="delivery">What a member who reads too slowly may lose; nothing by default.</param>
    /// <exception cref="ArgumentException">The message is larger than the format can carry.</exception>
    protected void BroadcastPacketExcept<TMessage>(Session except, PacketType<TMessage> type, TMessage message, Delivery delivery = default)
    {
        ArgumentNullException.ThrowIfNull(type);
        if (_services.Outlet is { } outlet)
        {
            int recipients = _memberCount - (Contains(except) ? 1 : 0);
            outlet.Send(null, recipients, type, message, requestId: 0, (Room: this, Except: except, Delivery: delivery), static (to, type, message, _) => to.Room.BroadcastNow(to.Except, type, message, to.Delivery));
        }
        else
        {
            BroadcastNow(except, type, message, delivery);
        }
    }

    /// <summary>Queues a message for some sessions, as the packet that carries it.</summary>
    /// <param name="to">Who gets it, members or not; read during the call.</param>
    /// <param name="message">What is sent; not kept.</param>
    /// <param name="delivery">What one who reads too slowly may lose; nothing by default.</param>
    /// <exception cref="InvalidOperationException">No packet of the server's <see cref="PacketSet"/>, or more than one, carries <typeparamref name="TMessage"/>.</exception>
    /// <exception cref="ArgumentException">The message is larger than the format can carry.</exception>
    protected void BroadcastPacketTo<TMessage>(ReadOnlySpan<Session> to, TMessage message, Delivery delivery = default) =>
        BroadcastPacketTo(to, _services.Packets.Get<TMessage>(), message, delivery);

    /// <summary>Queues a message for some sessions, as a kind of packet.</summary>
    /// <param name="to">Who gets it, members or not; read during the call.</param>
    /// <param name="type">The kind of packet.</param>
    /// <param name="message">What is sent; not kept.</param>
    /// <param name="delivery">What one who reads too slowly may lose; nothing by default.</param>
    /// <exception cref="ArgumentException">The message is larger than the format can carry.</exception>
    protected void BroadcastPacketTo<TMessage>(ReadOnlySpan<Session> to, PacketType<TMessage> type, TMessage message, Delivery delivery = default)
    {
        ArgumentNullException.ThrowIfNull(type);
        if (_services.Outlet is { } outlet)
        {
            outlet.Send(null, to.Length, type, message, requestId: 0, (Room: this, Some: to.ToArray(), Delivery: delivery), static (to, type, message, _) => to.Room.BroadcastNow(to.Some, type, message, to.Delivery));
        }
        else
        {
            BroadcastNow(to, type, message, delivery);
        }
    }

    /// <summary>Queues a message for one session, a member or not, as the packet that carries it.</summary>
    /// <param name="to">Who gets it.</param>
    /// <param name="message">What is sent; not kept.</param>
    /// <param name="requestId">That of the request which this answers; 0 for none.</param>
    /// <param name="delivery">What one who reads too slowly may lose; nothing by default.</param>
    /// <returns>See <see cref="Connection.Send(ReadOnlySpan{byte}, Framing.FrameHeader)"/>.</returns>
    /// <exception cref="InvalidOperationException">No packet of the server's <see cref="PacketSet"/>, or more than one, carries <typeparamref name="TMessage"/>.</exception>
    /// <exception cref="ArgumentException">The message is larger than the format can carry.</exception>
    protected bool SendPacket<TMessage>(Session to, TMessage message, ushort requestId = 0, Delivery delivery = default) =>
        SendPacket(to, _services.Packets.Get<TMessage>(), message, requestId, delivery);

    /// <summary>Queues a message for one session, a member or not, as a kind of packet.</summary>
    /// <param name="to">Who gets it.</param>
    /// <param name="type">The kind of packet.</param>
    /// <param name="message">What is sent; not kept.</param>
    /// <param name="requestId">That of the request which this answers; 0 for none.</param>
    /// <param name="delivery">What one who reads too slowly may lose; nothing by default.</param>
    /// <returns>See <see cref="Connection.Send(ReadOnlySpan{byte}, Framing.FrameHeader)"/>.</returns>
    /// <exception cref="ArgumentException">The message is larger than the format can carry.</exception>
    protected bool SendPacket<TMessage>(Session to, PacketType<TMessage> type, TMessage message, ushort requestId = 0, Delivery delivery = default)
    {
        ArgumentNullException.ThrowIfNull(to);
        ArgumentNullException.ThrowIfNull(type);
        return _services.Outlet is { } outlet
            ? outlet.Send(to.Connection, 1, type, message, requestId, (Room: this, To: to, Delivery: delivery), static (to, type, message, requestId) => to.Room.SendNow(to.To, type, message, requestId, to.Delivery))
            : SendNow(to, type, message, requestId, delivery);
    }

    private bool BroadcastNow<TMessage>(PacketType<TMessage> type, TMessage message, Delivery delivery)
    {
        Broadcast(type.Header(), type.GetBodyBytes(message), (type, message), Packet<TMessage>.Write, delivery);
        return true;
    }

    private bool BroadcastNow<TMessage>(Session except, PacketType<TMessage> type, TMessage message, Delivery delivery)
    {
        BroadcastExcept(except, type.Header(), type.GetBodyBytes(message), (type, message), Packet<TMessage>.Write, delivery);
        return true;
    }

    private bool BroadcastNow<TMessage>(ReadOnlySpan<Session> to, PacketType<TMessage> type, TMessage message, Delivery delivery)
    {
        BroadcastTo(to, type.Header(), type.GetBodyBytes(message), (type, message), Packet<TMessage>.Write, delivery);
        return true;
    }

    private bool SendNow<TMessage>(Session to, PacketType<TMessage> type, TMessage message, ushort requestId, Delivery delivery) =>
        Send(to, type.Header(requestId), type.GetBodyBytes(message), (type, message), Packet<TMessage>.Write, delivery);

    private static class Packet<TMessage>
    {
        internal static readonly SpanAction<byte, (PacketType<TMessage> Type, TMessage Message)> Write =
            static (destination, packet) => packet.Type.Encode(packet.Message, destination);
    }
}
