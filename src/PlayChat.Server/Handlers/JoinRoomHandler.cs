using Microsoft.Extensions.Logging;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Hosting;
using PlayChat.Core.Rooms;
using PlayChat.Protocol;
using PlayChat.Server.Cluster;
using PlayChat.Server.Diagnostics;
using PlayChat.Server.Replies;
using PlayChat.Server.Rooms;
using PlayChat.Server.Sessions;
using PlayChat.Storage;

namespace PlayChat.Server.Handlers;

/// <summary>C_JOIN_ROOM_REQ: enters a room, one of an earlier run as well.</summary>
internal sealed class JoinRoomHandler(
    PlayChatServer server,
    ChatRoomServices rooms,
    ShutdownState shutdown,
    ILogger<JoinRoomHandler> logger,
    ClusterRooms? cluster = null) : IPacketHandler<CJoinRoomReq>
{
    /// <inheritdoc/>
    public async ValueTask HandleAsync(PacketContext context, CJoinRoomReq message, CancellationToken cancellationToken)
    {
        if (shutdown.IsStopping && cluster?.FindWayOut(context.Session) is { } other)
        {
            context.FailRedirect(other);
        }
        else if (shutdown.IsStopping)
        {
            context.Fail(ErrorCode.ServerShutdown, ShutdownState.Message);
        }
        else if (cluster is not null)
        {
            await cluster.JoinAsync(context, message.RoomId, cancellationToken);
        }
        else
        {
            await JoinAsync(context, message.RoomId, cancellationToken);
        }
    }

    private async ValueTask JoinAsync(PacketContext context, long roomId, CancellationToken cancellationToken)
    {
        ChatRoom? room = server.Rooms.Find(roomId) as ChatRoom ?? await WakeAsync(context, roomId, cancellationToken);
        while (room is not null)
        {
            var join = new RoomJoin(context);
            EnterResult result = (await room.JoinAsync(context.Session, join, cancellationToken: cancellationToken)).Result;
            if (result != EnterResult.Removed || !room.IsUntouched || shutdown.IsStopping)
            {
                Answer(context, room, result);
                return;
            }

            // The player for whom the room had been woken did not enter, so it fell asleep. Only the archive knows for certain whether it
            // still sleeps: the registry may show the removed room for another moment.
            room = await WakeAsync(context, roomId, cancellationToken);
        }
    }

    /// <summary>Answers a join that the room has refused. The room itself answers the others.</summary>
    private void Answer(PacketContext context, ChatRoom room, EnterResult result)
    {
        switch (result)
        {
            case EnterResult.AlreadyMember:
                context.Fail(ErrorCode.AlreadyInRoom, $"You are in room {room.Id} already.");
                break;

            case EnterResult.Full:
                context.Fail(
                    ErrorCode.RoomFull,
                    $"Room {room.Id} is full ({rooms.Settings.MaxMembers} members). Try again later, or join another room.");
                break;

            case EnterResult.TooManyRooms:
                context.FailInTooManyRooms(rooms.Settings.MaxPerPlayer);
                break;

            case EnterResult.Refused or EnterResult.Removed:
                context.FailNoSuchRoom(room.Id);
                break;
        }
    }

    /// <returns><see langword="null"/> when there is none, which has been answered.</returns>
    private async ValueTask<ChatRoom?> WakeAsync(PacketContext context, long roomId, CancellationToken cancellationToken)
    {
        try
        {
            ChatRoom? room = await rooms.Archive.WakeAsync(roomId, rooms, cancellationToken);
            if (room is null)
            {
                context.FailNoSuchRoom(roomId);
            }

            return room;
        }
        catch (StorageException e)
        {
            ServerLog.RoomNotSaved(logger, e.Message);
            context.FailStorage("The room is stored in the server's database, which is unavailable. Try again later.");
            return null;
        }
    }
}
