using PlayChat.Core.Packets;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace PlayChat.Core.Dispatch;

// Handled in a room's turn.
internal abstract partial class PacketRoute<TMessage>
{
    /// <summary>A route to the room in which the sender is a member.</summary>
    internal sealed class ToRoom<TRoom, TMember>(
        PacketType<TMessage> type, Action<TRoom, TMember, TMessage> handler, Action<PacketContext> onNoRoom)
        : PacketRoute<TMessage>(type)
        where TRoom : MemberRoom<TMember>
        where TMember : RoomMember
    {
        private readonly Action<TRoom, Session, object> _job = (room, session, message) =>
        {
            if (room.Find(session) is { } member) // it may have left meanwhile
            {
                handler(room, member, (TMessage)message);
            }
        };

        protected override ValueTask Invoke(PacketContext context, TMessage message)
        {
            if (context.Connection.Get<Session>() is not { } session || session.FindRoom<TRoom>() is not { } room)
            {
                onNoRoom(context);
                return default;
            }

            ValueTask<bool> posting = room.PostAsync(_job, session, message!, context.Connection.Aborted);
            if (!posting.IsCompletedSuccessfully)
            {
                return PostedAsync(posting, context);
            }

            if (!posting.Result)
            {
                onNoRoom(context); // it was just removed
            }

            return default;
        }

        private async ValueTask PostedAsync(ValueTask<bool> posting, PacketContext context)
        {
            if (!await posting.ConfigureAwait(false))
            {
                onNoRoom(context);
            }
        }
    }
}
