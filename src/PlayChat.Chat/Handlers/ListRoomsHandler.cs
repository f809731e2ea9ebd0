using PlayChat.Chat.Accounts;
using PlayChat.Chat.Places;

namespace PlayChat.Chat.Handlers;

/// <summary>C_LIST_ROOMS_REQ: a page of the rooms there are.</summary>
internal sealed class ListRoomsHandler(IPlaces places, PlayerLimits limits) : IPacketHandler<CListRoomsReq>
{
    /// <inheritdoc/>
    public ValueTask HandleAsync(PacketContext context, CListRoomsReq message, CancellationToken cancellationToken)
    {
        if (message.Limit > ChatLimits.MaxRoomsPerPage)
        {
            context.Fail(
                ErrorCode.MalformedPacket,
                $"limit is {message.Limit}; allowed is 1 to {ChatLimits.MaxRoomsPerPage}, or 0 for {ChatLimits.MaxRoomsPerPage}. Correct "
                    + "the client.");
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

        int limit = message.Limit == 0 ? ChatLimits.MaxRoomsPerPage : (int)message.Limit;
        return places.ListAsync(context, message, limit, cancellationToken);
    }
}
