using PlayChat.Chat.Accounts;
using PlayChat.Chat.Places;

namespace PlayChat.Chat.Handlers;

/// <summary>C_LIST_ROOMS_REQ: a page of the rooms there are.</summary>
internal sealed class ListRoomsHandler(IPlaces places, PlayerLimits limits) : IPacketHandler<CListRoomsReq>
{
    /// <inheritdoc/>
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

        if (limits.TakePage(context.Session) is var wait && wait > TimeSpan.Zero)
        {
            context.FailForNow(wait);
            return default;
        }

        return places.ListAsync(context, message, limit, cancellationToken);
    }
}
