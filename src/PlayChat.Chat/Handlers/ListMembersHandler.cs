using PlayChat.Chat.Accounts;
using PlayChat.Chat.Rooms;

namespace PlayChat.Chat.Handlers;

/// <summary>C_LIST_MEMBERS_REQ: a page of a room's members, those that are offline included.</summary>
internal sealed class ListMembersHandler(PlayChatServer server, PlayerLimits limits) : IPacketHandler<CListMembersReq>
{
    private const int MaxMembers = ChatLimits.MaxRoomsPerPage;

    public async ValueTask HandleAsync(PacketContext context, CListMembersReq message, CancellationToken cancellationToken)
    {
        if (!context.TryReadLimit(message.Limit, MaxMembers, out int limit))
        {
            return;
        }

        if (!limits.TryTakePage(context) || !context.TryFindRoom(server, message.RoomId, out ChatRoom? room))
        {
            return;
        }

        if (await room.ListMembersAsync(context.Session, message.AfterPlayerId, limit, cancellationToken) is { } page)
        {
            context.Answer(ChatPackets.SListMembersRes, page);
        }
        else
        {
            context.Fail(ErrorCode.NotInRoom, Answers.NotInRoom(room.Id));
        }
    }
}
