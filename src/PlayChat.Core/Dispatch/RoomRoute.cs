using PlayChat.Core.Rooms;

namespace PlayChat.Core.Dispatch;

/// <summary>A route to the room in which the sender is a member.</summary>
internal sealed class RoomRoute<TRoom, TMember, TMessage> : PacketRoute<TMessage>
    where TRoom : MemberRoom<TMember>
    where TMember : RoomMember
{
    private static readonly bool s_namesRoom = typeof(IRoomMessage).IsAssignableFrom(typeof(TMessage));

    private readonly Invoker _invoker;

    internal RoomRoute(PacketType<TMessage> type, Action<TRoom, PacketContext, TMember, TMessage> handler)
        : base(type) => _invoker = new Invoker(this, handler);

    internal override RoomInvoker RoomInvoker => _invoker;

    internal override Type Room => typeof(TRoom);

    protected override bool RunsAtOnce => false;

    protected override ValueTask Invoke(PacketContext context, TMessage message)
    {
        long roomId = s_namesRoom ? ((IRoomMessage)message!).RoomId : 0;
        Session? session = context.Connection.Get<Session>();
        if ((s_namesRoom ? session?.FindRoom<TRoom>(roomId) : session?.FindRoom<TRoom>()) is not { } room)
        {
            Dispatcher.OnWithoutRoom(context, this, typeof(TRoom), roomId);
            return default;
        }

        ValueTask<bool> posting = room.PostMessageAsync(
            _invoker, context.Connection, message!, new FrameHeader(context.PacketId, context.RequestId));
        if (!posting.IsCompletedSuccessfully)
        {
            return PostedAsync(posting, context, room.Id);
        }

        if (!posting.Result)
        {
            Dispatcher.OnWithoutRoom(context, this, typeof(TRoom), room.Id); // it was just removed
        }

        return default;
    }

    private async ValueTask PostedAsync(ValueTask<bool> posting, PacketContext context, long roomId)
    {
        if (!await posting.ConfigureAwait(false))
        {
            Dispatcher.OnWithoutRoom(context, this, typeof(TRoom), roomId);
        }
    }

    /// <summary>Handles a message in the room's turn.</summary>
    private sealed class Invoker(RoomRoute<TRoom, TMember, TMessage> route, Action<TRoom, PacketContext, TMember, TMessage> handler)
        : RoomInvoker
    {
        internal override bool TryEncode(in RoomItem item, out byte[] body)
        {
            body = ((PacketType<TMessage>)route.Type).EncodeBody((TMessage)item.Second!);
            return true;
        }

        internal override string NameOf(in RoomItem item) => $"The handler of {route.Type.Name}";

        internal override object? TryDecode(Room room, in Frame frame) => room is TRoom ? route.Type.Decode(in frame) : null;

        internal override void Invoke(Room room, in RoomItem item)
        {
            // The types are those of the post in RoomRoute.Invoke, so these casts are not checked.
            var typed = Unsafe.As<TRoom>(room);
            var connection = Unsafe.As<Connection>(item.First!);
            var context = new PacketContext(connection, item.Header.PacketId, item.Header.RequestId);
            if (connection.Get<Session>() is not { } session || typed.FindMember(session) is not { IsSpectator: false } member)
            {
                route.Dispatcher.OnWithoutRoom(context, route, typeof(TRoom), room.Id); // it has left meanwhile, or only watches
                return;
            }

            bool hasFailed = true;
            long began = route.Figures.IsEnabled ? Stopwatch.GetTimestamp() : 0;
            try
            {
                handler(typed, context, member, (TMessage)item.Second!);
                hasFailed = false;
            }
            catch (Exception e) when (route.Dispatcher.AnswersFaults)
            {
                route.Dispatcher.Fault(context, route, e);
            }
            finally
            {
                if (began != 0)
                {
                    route.Figures.Record(began, hasFailed);
                }
            }
        }
    }
}
