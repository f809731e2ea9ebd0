using PlayChat.Core.Dispatch;
using PlayChat.Core.Hosting;
using PlayChat.Protocol;
using PlayChat.Server.ChatLog;
using PlayChat.Server.Replies;
using PlayChat.Server.Rooms;

namespace PlayChat.Server.Handlers;

/// <summary>
/// C_ROOM_CHAT_REQ: says something in a room. Completes at once unless the room or the chat log is behind: then its sender waits.
/// </summary>
internal sealed class RoomChatHandler(PlayChatServer server, ChatLogGate log) : IPacketHandler<CRoomChatReq>
{
    /// <inheritdoc/>
    public ValueTask HandleAsync(PacketContext context, CRoomChatReq message, CancellationToken cancellationToken)
    {
        if (!ChatRules.IsText(message.Text))
        {
            context.Fail(ErrorCode.TextInvalid, $"A text has 1 to {ChatLimits.MaxTextBytes} bytes of UTF-8. Shorten it, or say something.");
            return default;
        }

        if (server.Rooms.Find(message.RoomId) is not ChatRoom room)
        {
            context.FailNoSuchRoom(message.RoomId);
            return default;
        }

        if (!log.HasSpace)
        {
            return SayWhenSpaceAsync(room, context, message, cancellationToken);
        }

        ValueTask<bool> saying = room.SayAsync(new RoomRequest(context), message, cancellationToken);
        return saying.IsCompletedSuccessfully && saying.Result ? default : SaidAsync(saying, context, message.RoomId);
    }

    private async ValueTask SayWhenSpaceAsync(
        ChatRoom room, PacketContext context, CRoomChatReq message, CancellationToken cancellationToken)
    {
        if (await log.WaitForSpaceAsync(cancellationToken))
        {
            await SaidAsync(room.SayAsync(new RoomRequest(context), message, cancellationToken), context, message.RoomId);
        }
        else
        {
            context.Fail(ErrorCode.StorageUnavailable, "The server cannot store messages now, and so takes none. Try again later.");
        }
    }

    private static async ValueTask SaidAsync(ValueTask<bool> saying, PacketContext context, long roomId)
    {
        if (!await saying)
        {
            context.FailNoSuchRoom(roomId);
        }
    }
}
