using PlayChat.Core.Dispatch;
using PlayChat.Core.Hosting;
using PlayChat.Core.Rooms;
using PlayChat.Protocol;
using PlayChat.Server.Accounts;
using PlayChat.Server.Cluster;
using PlayChat.Server.Replies;
using PlayChat.Server.Rooms;
using PlayChat.Server.Sessions;

namespace PlayChat.Server.Handlers;

/// <summary>C_CREATE_ROOM_REQ: makes a room and lets its creator in.</summary>
internal sealed class CreateRoomHandler(
    PlayChatServer server, ChatRoomServices rooms, PlayerLimits limits, ShutdownState shutdown, ClusterRooms? cluster = null)
    : IPacketHandler<CCreateRoomReq>
{
    /// <inheritdoc/>
    public async ValueTask HandleAsync(PacketContext context, CCreateRoomReq message, CancellationToken cancellationToken)
    {
        long player = context.Session.User!.Id;
        if (!ChatRules.IsRoomName(message.Name))
        {
            context.Fail(
                ErrorCode.RoomNameInvalid,
                $"A room name has 1 to {ChatLimits.MaxRoomNameChars} characters that can be seen. Choose another.");
        }
        else if (!ChatRules.IsRoomType(message.Type) || !ChatRules.AreRoomProperties(message.Properties))
        {
            context.FailRoomKind();
        }
        else if (shutdown.IsStopping && cluster?.FindWayOut(context.Session) is { } other)
        {
            context.FailRedirect(other);
        }
        else if (shutdown.IsStopping)
        {
            context.Fail(ErrorCode.ServerShutdown, ShutdownState.Message);
        }
        else if (limits.TakeRoom(context.Session) is var wait && wait > TimeSpan.Zero)
        {
            context.FailForNow(wait);
        }
        else if (cluster is not null)
        {
            var shared = new RoomKind(message.Type, message.Properties.ToDictionary(StringComparer.Ordinal));
            await cluster.CreateAsync(context, message.Name, shared, cancellationToken);
        }
        else if (!rooms.Quotas.TryTakeOf(player))
        {
            context.Fail(
                ErrorCode.ServerFull,
                $"You have created {rooms.Settings.MaxCreatedPerPlayer} rooms that still have members. Wait until one is empty.");
        }
        else if (!rooms.Quotas.Rooms.TryTake())
        {
            rooms.Quotas.GiveBackOf(player);
            context.Fail(
                ErrorCode.ServerFull,
                $"The server has reached its limit of {rooms.Settings.MaxRooms} rooms. Join an existing room, or try again later.");
        }
        else
        {
            var kind = new RoomKind(message.Type, message.Properties.ToDictionary(StringComparer.Ordinal));
            ChatRoom room = server.Rooms.Create(message.Name, made => new ChatRoom(made, rooms, rooms.CreateOrder(), kind, player));
            JoinResult<ChatMember> result = await room.JoinAsync(
                context.Session, new RoomJoin(context), cancellationToken: CancellationToken.None);
            if (result.Result == EnterResult.TooManyRooms)
            {
                context.FailInTooManyRooms(rooms.Settings.MaxPerPlayer);
            }
        }
    }
}
