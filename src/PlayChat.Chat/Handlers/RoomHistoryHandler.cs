using PlayChat.Chat.Accounts;
using PlayChat.Chat.Rooms;

namespace PlayChat.Chat.Handlers;

/// <summary>
/// C_ROOM_HISTORY_REQ: a page of what was said in a room. Its sender's next packet waits until it is answered, so no client reads more
/// than one page at once.
/// </summary>
internal sealed class RoomHistoryHandler(
    PlayChatServer server, HistoryReader history, PlayerLimits limits, ILogger<RoomHistoryHandler> logger) : IPacketHandler<CRoomHistoryReq>
{
    public async ValueTask HandleAsync(PacketContext context, CRoomHistoryReq message, CancellationToken cancellationToken)
    {
        if (!context.TryReadLimit(message.Limit, ChatLimits.MaxHistoryMessages, out int limit))
        {
            return;
        }

        bool isAfter = message.PositionCase == CRoomHistoryReq.PositionOneofCase.AfterSequence;
        long sequence = message.PositionCase switch
        {
            CRoomHistoryReq.PositionOneofCase.AfterSequence => message.AfterSequence,
            CRoomHistoryReq.PositionOneofCase.BeforeSequence => message.BeforeSequence,
            _ => long.MaxValue,
        };
        if (sequence < 0)
        {
            context.Fail(ErrorCode.MalformedPacket, $"The sequence is {sequence}; it must not be negative. Correct the client.");
            return;
        }

        if (!limits.TryTakePage(context) || !context.TryFindRoom(server, message.RoomId, out ChatRoom? room))
        {
            return;
        }

        if (await room.ReadRecentAsync(context.Session, isAfter, sequence, limit, history.PageBytes, cancellationToken) is not { } recent)
        {
            context.Fail(ErrorCode.NotInRoom, Answers.NotInRoom(room.Id));
            return;
        }

        long reader = context.Session.User!.Id;
        await context.UseStoreAsync(room.Id, "The older messages", logger, async () => context.Answer(
            ChatPackets.SRoomHistoryRes,
            isAfter ? await history.ReadAfterAsync(room.Id, sequence, limit, recent, reader, cancellationToken)
                : await history.ReadBeforeAsync(room.Id, sequence, limit, recent, reader, cancellationToken)));
    }
}
