using System.Buffers;
using PlayChat.Core.Connections;
using PlayChat.Core.Packets;
using PlayChat.Core.Sessions;

namespace PlayChat.Core.Rooms;

// The same for messages: encoded once, straight into what all members are sent.
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
        LetOut(null, _memberCount, type, message, 0, (Room: this, Delivery: delivery), static (to, packet, content, _) =>
        {
            to.Room.Broadcast(packet.Header(), packet.GetBodyBytes(content), (packet, content), Packet<TMessage>.Write, to.Delivery);
            return true;
        });
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
        ArgumentNullException.ThrowIfNull(except);
        int recipients = Contains(except) ? _memberCount - 1 : _memberCount;
        LetOut(null, recipients, type, message, 0, (Room: this, Except: except, Delivery: delivery), static (to, packet, content, _) =>
        {
            to.Room.BroadcastExcept(to.Except, packet.Header(), packet.GetBodyBytes(content), (packet, content), Packet<TMessage>.Write, to.Delivery);
            return true;
        });
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
        if (_services.Outlet is null)
        {
            BroadcastTo(to, type.Header(), type.GetBodyBytes(message), (type, message), Packet<TMessage>.Write, delivery);
            return;
        }

        // A span cannot pass the filters, who may do what they like meanwhile.
        LetOut(null, to.Length, type, message, 0, (Room: this, To: to.ToArray(), Delivery: delivery), static (some, packet, content, _) =>
        {
            some.Room.BroadcastTo(some.To, packet.Header(), packet.GetBodyBytes(content), (packet, content), Packet<TMessage>.Write, some.Delivery);
            return true;
        });
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
        ArgumentNullException.ThrowIfNull(type);
        ArgumentNullException.ThrowIfNull(to);
        return LetOut(to.Connection, 1, type, message, requestId, (Room: this, To: to, Delivery: delivery), static (one, packet, content, id) =>
            one.Room.Send(one.To, packet.Header(id), packet.GetBodyBytes(content), (packet, content), Packet<TMessage>.Write, one.Delivery));
    }

    /// <summary>Sends a message, past the filters if there are some.</summary>
    private bool LetOut<TMessage, TState>(
        Connection? to, int recipients, PacketType<TMessage> type, TMessage message, ushort requestId, TState state, PacketSender<TMessage, TState> send) =>
        _services.Outlet is { } outlet
            ? outlet.Send(to, recipients, type, message, requestId, state, send)
            : send(state, type, message, requestId);

    private static class Packet<TMessage>
    {
        internal static readonly SpanAction<byte, (PacketType<TMessage> Type, TMessage Message)> Write =
            static (destination, packet) => packet.Type.Encode(packet.Message, destination);
    }
}
