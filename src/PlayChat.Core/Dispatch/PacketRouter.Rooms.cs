using PlayChat.Core.Packets;
using PlayChat.Core.Rooms;

namespace PlayChat.Core.Dispatch;

// What an application maps to rooms.
public sealed partial class PacketRouter
{
    /// <summary>Answers a packet for a room whose sender is in no such room; without it the packet is dropped.</summary>
    public Action<PacketContext>? OnNoRoom { get; set; }

    /// <summary>
    /// Handles the packet that carries a message in the turn of the room of a type in which the sender is a member. While the room's queue
    /// is full the sender is not
    /// read any further.
    /// </summary>
    /// <typeparam name="TRoom">The room; of several the one that the session entered last. None: see <see cref="OnNoRoom"/>.</typeparam>
    /// <typeparam name="TMember">What the room knows the sender by.</typeparam>
    /// <typeparam name="TMessage">The message; its packet is looked up in <see cref="Packets"/>.</typeparam>
    /// <param name="handler">
    /// Runs in the room's turn, unless the sender has left meanwhile. What it throws is the room's fault: logged and counted, and the room
    /// keeps running.
    /// </param>
    /// <returns>What else applies to the packet.</returns>
    /// <exception cref="InvalidOperationException">
    /// The packet is mapped already, no packet, or more than one, carries the message, or it is transient.
    /// </exception>
    public PacketRouteBuilder MapRoomPacket<TRoom, TMember, TMessage>(Action<TRoom, TMember, TMessage> handler)
        where TRoom : MemberRoom<TMember>
        where TMember : RoomMember =>
        MapRoomPacket(Packets.Get<TMessage>(), handler);

    /// <inheritdoc cref="MapRoomPacket{TRoom, TMember, TMessage}(Action{TRoom, TMember, TMessage})"/>
    /// <param name="id">The packet, where several carry the same message.</param>
    /// <param name="handler">Runs in the room's turn.</param>
    public PacketRouteBuilder MapRoomPacket<TRoom, TMember, TMessage>(ushort id, Action<TRoom, TMember, TMessage> handler)
        where TRoom : MemberRoom<TMember>
        where TMember : RoomMember =>
        MapRoomPacket(Packets.Get<TMessage>(id), handler);

    /// <inheritdoc cref="MapRoomPacket{TRoom, TMember, TMessage}(Action{TRoom, TMember, TMessage})"/>
    /// <param name="type">The packet; it need not be in <see cref="Packets"/>.</param>
    /// <param name="handler">Runs in the room's turn.</param>
    public PacketRouteBuilder MapRoomPacket<TRoom, TMember, TMessage>(PacketType<TMessage> type, Action<TRoom, TMember, TMessage> handler)
        where TRoom : MemberRoom<TMember>
        where TMember : RoomMember
    {
        ArgumentNullException.ThrowIfNull(type);
        ArgumentNullException.ThrowIfNull(handler);
        if (type.IsTransient)
        {
            throw new InvalidOperationException(
                $"Packet {type.Id} ({type.Name}) is transient: its message is gone before the room's turn. "
                + "Map it to a handler that posts what it needs of it.");
        }

        return Add(new PacketRoute<TMessage>.ToRoom<TRoom, TMember>(type, handler, context => OnNoRoom?.Invoke(context)));
    }
}
