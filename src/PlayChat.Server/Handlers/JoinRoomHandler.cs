using Microsoft.Extensions.Logging;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Hosting;
using PlayChat.Protocol;
using PlayChat.Server.Diagnostics;
using PlayChat.Server.Replies;
using PlayChat.Server.Rooms;
using PlayChat.Server.Sessions;
using PlayChat.Storage;

namespace PlayChat.Server.Handlers;

/// <summary>C_JOIN_ROOM_REQ: enters a room, one of an earlier run as well.</summary>
internal sealed class JoinRoomHandler(
    PlayChatServer server, ChatRoomServices rooms, ShutdownState shutdown, ILogger<JoinRoomHandler> logger) : IPacketHandler<CJoinRoomReq>
{
    /// <inheritdoc/>
    public async ValueTask HandleAsync(PacketContext context, CJoinRoomReq message, CancellationToken cancellationToken)
    {
        if (shutdown.IsStopping)
        {
            context.Fail(ErrorCode.ServerShutdown, ShutdownState.Message);
        }
        else if (await FindAsync(context, message.RoomId, cancellationToken) is { } room
            && !await room.JoinAsync(new RoomRequest(context), cancellationToken))
        {
            context.FailNoSuchRoom(message.RoomId);
        }
    }
    /// <returns><see langword="null"/> when there is none, which has been answered.</returns>
    private async ValueTask<ChatRoom?> FindAsync(PacketContext context, long roomId, CancellationToken cancellationToken)
    {
        try
        {
            ChatRoom? room = server.Rooms.Find(roomId) as ChatRoom ?? await rooms.Archive.WakeAsync(roomId, rooms, cancellationToken);
            if (room is null)
            {
                context.FailNoSuchRoom(roomId);
            }

            return room;
        }
        catch (StorageException e)
        {
            ServerLog.RoomNotSaved(logger, e.Message);
            context.Fail(
                ErrorCode.StorageUnavailable, "The server's database is unavailable, and the room is stored there. Try again later.");
            return null;
        }
    }
}
