using PlayChat.Chat.Places;
using PlayChat.Chat.Sessions;

namespace PlayChat.Chat.Handlers;

/// <summary>C_JOIN_ROOM_REQ: enters a room, one of an earlier run as well.</summary>
internal sealed class JoinRoomHandler(IPlaces places, ShutdownState shutdown) : IPacketHandler<CJoinRoomReq>
{
    public ValueTask HandleAsync(PacketContext context, CJoinRoomReq message, CancellationToken cancellationToken)
    {
        if (shutdown.IsStopping)
        {
            context.FailStopping(places);
            return default;
        }

        return places.JoinAsync(context, message.RoomId, message.Password, cancellationToken);
    }
}
