using PlayChat.Chat.Accounts;
using PlayChat.Chat.Places;

namespace PlayChat.Chat.Handlers;

/// <summary>C_LIST_ROOMS_REQ: a page of the rooms there are.</summary>
internal sealed class ListRoomsHandler(IPlaces places, PlayerLimits limits) : IPacketHandler<CListRoomsReq>
{
    public ValueTask HandleAsync(PacketContext context, CListRoomsReq message, CancellationToken cancellationToken)
    {
        if (!context.TryReadLimit(message.Limit, ChatLimits.MaxRoomsPerPage, out int limit))
        {
            return default;
        }

        if (!ChatRules.IsRoomType(message.Type) || !ChatRules.AreRoomProperties(message.Properties))
        {
            context.FailRoomKind();
            return default;
        }

        return limits.TryTakePage(context) ? places.ListAsync(context, message, limit, cancellationToken) : default;
    }
}
