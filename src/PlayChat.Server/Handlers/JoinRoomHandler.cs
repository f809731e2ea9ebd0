using PlayChat.Core.Dispatch;
using PlayChat.Core.Hosting;
using PlayChat.Protocol;
using PlayChat.Server.Modes;
using PlayChat.Server.Rooms;

namespace PlayChat.Server.Handlers;

/// <summary>C_JOIN_ROOM_REQ: enters a room, one of an earlier run as well.</summary>
internal sealed class JoinRoomHandler(PlayChatServer server, ChatRoomServices rooms, StopSign stopSign) : IPacketHandler<CJoinRoomReq>
{
    /// <inheritdoc/>
    public async ValueTask HandleAsync(PacketContext context, CJoinRoomReq message, CancellationToken cancellationToken)
    {
        if (stopSign.IsStopping)
        {
            context.Fail(ErrorCode.ServerShutdown, StopSign.Message);
        }
        else if ((server.Rooms.Find(message.RoomId) as ChatRoom ?? rooms.Archive.Wake(message.RoomId, rooms)) is not { } room || !await room.JoinAsync(new RoomRequest(context), cancellationToken))
        {
            context.FailNoSuchRoom(message.RoomId);
        }
    }
}
