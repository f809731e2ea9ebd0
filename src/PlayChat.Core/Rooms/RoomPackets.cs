namespace PlayChat.Core.Rooms;

/// <summary>
/// Sends messages through a room's outbox: past the filters if there are any, then encoded once, in place. It has no state.
/// </summary>
internal readonly struct RoomPackets(RoomOutbox outbox, RoomMembership members, PacketOutlet? outlet)
{
    /// <summary>Queues a message for every member, or for every member but one.</summary>
    internal void Broadcast<TMessage>(PacketType<TMessage> type, TMessage message, Delivery delivery, Session? except)
    {
        int recipients = except is not null && members.Contains(except) ? members.Count - 1 : members.Count;
        var state = (Outbox: outbox, Except: except, Delivery: delivery);
        Filter(null, recipients, type, message, 0, state, static (to, packet, content, _) =>
        {
            to.Outbox.Broadcast(
                packet.Header(), packet.GetBodyBytes(content), (packet, content), Writer<TMessage>.Write, to.Delivery, to.Except);
            return true;
        });
    }

    /// <summary>Queues a message for some sessions, members or not.</summary>
    internal void SendTo<TMessage>(ReadOnlySpan<Session> to, PacketType<TMessage> type, TMessage message, Delivery delivery)
    {
        if (outlet is null)
        {
            outbox.SendTo(to, type.Header(), type.GetBodyBytes(message), (type, message), Writer<TMessage>.Write, delivery);
            return;
        }

        // A copy: the state of a job has no room for a span, and a filter may change the array behind it.
        var state = (Outbox: outbox, To: to.ToArray(), Delivery: delivery);
        Filter(null, to.Length, type, message, 0, state, static (some, packet, content, _) =>
        {
            some.Outbox.SendTo(
                some.To, packet.Header(), packet.GetBodyBytes(content), (packet, content), Writer<TMessage>.Write, some.Delivery);
            return true;
        });
    }

    /// <summary>Queues a message for one session, a member or not.</summary>
    /// <returns>Whether the session's outbound queue accepted it.</returns>
    internal bool Send<TMessage>(Session to, PacketType<TMessage> type, TMessage message, ushort requestId, Delivery delivery)
    {
        var state = (Outbox: outbox, To: to, Delivery: delivery);
        return Filter(to.Connection, 1, type, message, requestId, state, static (one, packet, content, id) =>
            one.Outbox.Send(
                one.To, packet.Header(id), packet.GetBodyBytes(content), (packet, content), Writer<TMessage>.Write, one.Delivery));
    }

    private bool Filter<TMessage, TState>(
        Connection? to,
        int recipients,
        PacketType<TMessage> type,
        TMessage message,
        ushort requestId,
        TState state,
        PacketSender<TMessage, TState> send) =>
        outlet is null
            ? send(state, type, message, requestId)
            : outlet.Send(to, recipients, type, message, requestId, state, send);

    private static class Writer<TMessage>
    {
        internal static readonly SpanAction<byte, (PacketType<TMessage> Type, TMessage Message)> Write =
            static (destination, packet) => packet.Type.Encode(packet.Message, destination);
    }
}
