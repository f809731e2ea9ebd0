using PlayChat.Core.Dispatch;
using PlayChat.Core.Hosting;
using PlayChat.Protocol;
using PlayChat.Server.Configuration;
using PlayChat.Server.Rooms;

namespace PlayChat.Server.Handlers;

/// <summary>C_LIST_ROOMS_REQ: a page of the rooms there are.</summary>
internal sealed class ListRoomsHandler(PlayChatServer server, RoomDirectory directory, ServerSettings settings) : IPacketHandler<CListRoomsReq>
{
    /// <inheritdoc/>
    public ValueTask HandleAsync(PacketContext context, CListRoomsReq message, CancellationToken cancellationToken)
    {
        if (message.Limit > ChatLimits.MaxRoomsPerPage)
        {
            context.Fail(ErrorCode.MalformedPacket, $"limit is {message.Limit}; allowed is 1 to {ChatLimits.MaxRoomsPerPage}, or 0 for {ChatLimits.MaxRoomsPerPage}. Correct the client.");
            return default;
        }

        int limit = message.Limit == 0 ? ChatLimits.MaxRoomsPerPage : (int)message.Limit;
        // One more than the page, to know whether there are more.
        List<ChatRoom> rooms = directory.Page(message.AfterRoomId, limit + 1, server.Rooms);
        var page = new SListRoomsRes { More = rooms.Count > limit };
        foreach (ChatRoom room in rooms.Take(limit))
        {
            page.Rooms.Add(new RoomInfo
            {
                RoomId = room.Id,
                Name = room.Name,
                Members = (uint)room.Population,
                MaxMembers = (uint)settings.Rooms.MaxMembers,
            });
        }

        context.Answer(ChatPackets.SListRoomsRes, page);
        return default;
    }
}
