using PlayChat.Chat.Accounts;
using PlayChat.Chat.Rooms;

namespace PlayChat.Chat.Handlers;

/// <summary>C_LIST_MEMBERS_REQ: a page of a room's members, those that are offline included.</summary>
internal sealed class ListMembersHandler(PlayChatServer server, PlayerLimits limits) : IPacketHandler<CListMembersReq>
{
    private const int MaxMembers = ChatLimits.MaxRoomsPerPage;

    /// <inheritdoc/>
    public async ValueTask HandleAsync(PacketContext context, CListMembersReq message, CancellationToken cancellationToken)
    {
        if (!context.TryReadLimit(message.Limit, MaxMembers, out int limit))
        {
            return;
        }

        if (limits.TakePage(context.Session) is var wait && wait > TimeSpan.Zero)
        {
            context.FailForNow(wait);
            return;
        }

        if (server.Rooms.Find(message.RoomId) is not ChatRoom room)
        {
            context.FailNoSuchRoom(message.RoomId);
        }
        else if (await room.ListMembersAsync(context.Session, message.AfterPlayerId, limit, cancellationToken) is { } page)
        {
            context.Answer(ChatPackets.SListMembersRes, page);
        }
        else
        {
            context.Fail(ErrorCode.NotInRoom, Answers.NotInRoom(room.Id));
        }
    }
}
