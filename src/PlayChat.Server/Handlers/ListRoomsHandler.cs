using PlayChat.Core.Dispatch;
using PlayChat.Core.Hosting;
using PlayChat.Core.Rooms;
using PlayChat.Protocol;
using PlayChat.Server.Accounts;
using PlayChat.Server.Configuration;
using PlayChat.Server.Replies;
using PlayChat.Server.Rooms;
using RoomInfo = PlayChat.Protocol.RoomInfo;

namespace PlayChat.Server.Handlers;

/// <summary>C_LIST_ROOMS_REQ: a page of the rooms there are.</summary>
internal sealed class ListRoomsHandler(PlayChatServer server, PlayerLimits limits, ServerSettings settings) : IPacketHandler<CListRoomsReq>
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
        // One without members is being removed.
        var query = new RoomQuery
        {
            AfterId = message.AfterRoomId,
            Limit = limit,
            Properties = message.Properties.Count == 0 ? null : message.Properties.ToDictionary(StringComparer.Ordinal),
            Where = room => room is ChatRoom { MemberCount: > 0 } chat && (message.Type.Length == 0 || chat.Kind.Type == message.Type),
        };
        IReadOnlyList<Core.Rooms.RoomInfo> listed = server.Rooms.List(query, out bool hasMore);
        var page = new SListRoomsRes { More = hasMore };
        foreach (ChatRoom room in listed.Select(info => server.Rooms.Find(info.Id)).OfType<ChatRoom>())
        {
            page.Rooms.Add(new RoomInfo
            {
                RoomId = room.Id,
                Name = room.Name,
                Members = (uint)room.Population,
                MaxMembers = (uint)settings.Rooms.MaxMembers,
                Type = room.Kind.Type,
                Properties = { room.Kind.Properties },
            });
        }

        context.Answer(ChatPackets.SListRoomsRes, page);
        return default;
    }
}
