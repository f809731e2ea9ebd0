using PlayChat.Core.Packets;
using PlayChat.Core.Rooms;

namespace PlayChat.Core.Dispatch;

// What an application maps to rooms.
public sealed partial class PacketRouter
{
    /// <summary>
    /// Answers a packet for a room in which the sender is no member, or not any more when the packet's turn comes; without it the packet is
    /// dropped, which is logged once for each address in 10 seconds. Either way it is counted (<c>playchat.packets.without_room</c>).
    /// </summary>
    /// <remarks>
    /// The second argument is the id of the room that the message names (<see cref="IRoomMessage"/>), or of the room that the sender has
    /// left or that was removed meanwhile; 0 if the message names none and the sender is in no room of the type.
    /// <see cref="PacketContext.Rooms"/> tells a room that does not exist from one in which the sender is no member. Called on the sender's
    /// receive loop, or in the turn of the room that the sender has left.
    /// </remarks>
    public Action<PacketContext, long>? OnNoRoom { get; set; }

    /// <summary>
    /// Handles the packet that carries a message in the turn of the room of a type in which the sender is a member. While the room's queue
    /// is full the sender is not read any further.
    /// </summary>
    /// <typeparam name="TRoom">
    /// The room: the one that the message names if it is an <see cref="IRoomMessage"/>, otherwise the one that the session entered last. If
    /// there is none, <see cref="OnNoRoom"/> is called.
    /// </typeparam>
    /// <typeparam name="TMember">The type of the room's members.</typeparam>
    /// <typeparam name="TMessage">The message.</typeparam>
    /// <param name="handler">
    /// Runs in the room's turn, unless the sender has left meanwhile (see <see cref="OnNoRoom"/>). To answer, use
    /// <see cref="MapRoomRequest"/> or the room's <c>SendPacket</c> with the request's id:
    /// <see cref="PacketContext.Reply"/> overtakes what the turn has broadcast. What it throws is logged and counted,
    /// and the session stays open; <see cref="OnFault"/> can answer it.
    /// </param>
    /// <param name="id">The packet's id. Default: the one packet of the <see cref="PacketSet"/> that carries the message.</param>
    /// <returns>What else applies to the packet.</returns>
    /// <exception cref="InvalidOperationException">
    /// The packet is mapped already or not in the <see cref="PacketSet"/>, or it is transient.
    /// </exception>
    public PacketRouteBuilder MapRoomPacket<TRoom, TMember, TMessage>(
        Action<TRoom, PacketContext, TMember, TMessage> handler, ushort? id = null)
        where TRoom : MemberRoom<TMember>
        where TMember : RoomMember
    {
        ArgumentNullException.ThrowIfNull(handler);
        return MapToRoom(handler, id, handler);
    }

    /// <summary>
    /// Handles a packet as <see cref="MapRoomPacket"/> does, and answers it with what the handler returns. The sender gets the answer
    /// behind what the turn has broadcast before, and in front of what it broadcasts afterwards.
    /// </summary>
    /// <typeparam name="TRoom">The room; see <see cref="MapRoomPacket"/>.</typeparam>
    /// <typeparam name="TMember">The type of the room's members.</typeparam>
    /// <typeparam name="TMessage">The message.</typeparam>
    /// <typeparam name="TAnswer">The answer; exactly one packet of the <see cref="PacketSet"/> carries it.</typeparam>
    /// <param name="handler">
    /// Returns the answer, or <see langword="null"/> for none. A packet without a request id gets no answer, and neither does one whose
    /// connection the session has left by a resume.
    /// </param>
    /// <param name="id">The packet's id. Default: the one packet of the <see cref="PacketSet"/> that carries the message.</param>
    /// <returns>What else applies to the packet.</returns>
    /// <exception cref="InvalidOperationException">
    /// The packet is mapped already or not in the <see cref="PacketSet"/>, it is transient, or no packet, or more than one, carries the
    /// answer.
    /// </exception>
    public PacketRouteBuilder MapRoomRequest<TRoom, TMember, TMessage, TAnswer>(
        Func<TRoom, PacketContext, TMember, TMessage, TAnswer?> handler, ushort? id = null)
        where TRoom : MemberRoom<TMember>
        where TMember : RoomMember
    {
        ArgumentNullException.ThrowIfNull(handler);
        PacketType<TAnswer> answers = TypeOf<TAnswer>(null);
        return MapToRoom<TRoom, TMember, TMessage>(
            (room, context, member, message) =>
            {
                // On another connection, where the session is when it has resumed meanwhile, the id means another request.
                if (handler(room, context, member, message) is { } answer
                    && context.RequestId != 0
                    && member.Session.Connection == context.Connection)
                {
                    room.Answer(member.Session, answers, answer, context.RequestId);
                }
            },
            id,
            handler);
    }

    private PacketRouteBuilder MapToRoom<TRoom, TMember, TMessage>(
        Action<TRoom, PacketContext, TMember, TMessage> handler, ushort? id, Delegate mapped)
        where TRoom : MemberRoom<TMember>
        where TMember : RoomMember
    {
        PacketType<TMessage> type = TypeOf<TMessage>(id);
        if (type.IsTransient)
        {
            throw MappingFault.Create(
                $"Packet {type.Id} ({type.Name}) is transient: its message is gone before the room's turn. "
                + "Map it to a handler that posts what it needs of it.");
        }

        return Add(new PacketRoute<TMessage>.ToRoom<TRoom, TMember>(this, type, handler), mapped);
    }
}
