using PlayChat.Core.Dispatch;
using PlayChat.Core.Hosting;
using PlayChat.Protocol;
using PlayChat.Server.Replies;
using PlayChat.Server.Rooms;

namespace PlayChat.Server.Handlers;

/// <summary>C_LEAVE_ROOM_REQ: leaves a room.</summary>
internal sealed class LeaveRoomHandler(PlayChatServer server) : IPacketHandler<CLeaveRoomReq>
{
    /// <inheritdoc/>
    public async ValueTask HandleAsync(PacketContext context, CLeaveRoomReq message, CancellationToken cancellationToken)
    {
        if (server.Rooms.Find(message.RoomId) is not ChatRoom room || !await room.LeaveAsync(new RoomRequest(context), cancellationToken))
        {
            context.FailNoSuchRoom(message.RoomId);
        }
    }
}
