using Microsoft.Extensions.Logging;
using PlayChat.Cluster.Directory;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Hosting;
using PlayChat.Core.Rooms;
using PlayChat.Protocol;
using PlayChat.Server.Accounts;
using PlayChat.Server.Cluster;
using PlayChat.Server.Configuration;
using PlayChat.Server.Diagnostics;
using PlayChat.Server.Replies;
using PlayChat.Server.Rooms;
using PlayChat.Storage;

namespace PlayChat.Server.Handlers;

/// <summary>C_LIST_ROOMS_REQ: a page of the rooms there are.</summary>
internal sealed class ListRoomsHandler(
    PlayChatServer server,
    PlayerLimits limits,
    ServerSettings settings,
    ILogger<ListRoomsHandler> logger,
    ClusterRoomList? cluster = null) : IPacketHandler<CListRoomsReq>
{
    private static readonly TimeSpan s_retryAfter = TimeSpan.FromSeconds(1);

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
        if (cluster is not null)
        {
            return ListAllAsync(cluster, context, message, limit, cancellationToken);
        }

        // One without members is being removed.
        var query = new RoomQuery
        {
            AfterId = message.AfterRoomId,
            Limit = limit,
            Properties = message.Properties.Count == 0 ? null : message.Properties.ToDictionary(StringComparer.Ordinal),
            Where = room => room is ChatRoom { MemberCount: > 0 } chat && (message.Type.Length == 0 || chat.Kind.Type == message.Type),
        };
        IReadOnlyList<RoomDescription> listed = server.Rooms.List(query, out bool hasMore);
        var page = new SListRoomsRes { More = hasMore };
        foreach (ChatRoom room in listed.Select(info => server.Rooms.Find(info.Id)).OfType<ChatRoom>())
        {
            page.Rooms.Add(new RoomInfo
            {
                RoomId = room.Id,
                Name = room.Name,
                Members = (uint)room.MemberCount,
                MaxMembers = (uint)settings.Rooms.MaxMembers,
                Type = room.Kind.Type,
                Properties = { room.Kind.Properties },
            });
        }

        if (hasMore)
        {
            page.LastRoomId = listed[^1].Id;
        }

        context.Answer(ChatPackets.SListRoomsRes, page);
        return default;
    }

    /// <summary>Lists the rooms of all nodes.</summary>
    private async ValueTask ListAllAsync(
        ClusterRoomList rooms, PacketContext context, CListRoomsReq message, int limit, CancellationToken cancellationToken)
    {
        try
        {
            if (await rooms.ReadAsync(message, limit, cancellationToken) is { } page)
            {
                context.Answer(ChatPackets.SListRoomsRes, page);
            }
            else
            {
                context.FailUnavailable(s_retryAfter);
            }
        }
        catch (Exception e) when (e is ClusterDirectoryException or StorageException)
        {
            ServerLog.ClusterDirectoryFailed(logger, e.Message);
            context.FailStorage("The rooms are listed in the cluster's database, which is unavailable. Try again later.");
        }
    }
}
