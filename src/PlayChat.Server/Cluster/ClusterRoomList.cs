using PlayChat.Cluster.Directory;
using PlayChat.Protocol;
using PlayChat.Server.Configuration;
using PlayChat.Server.Rooms;
using PlayChat.Storage;

namespace PlayChat.Server.Cluster;

/// <summary>Lists the rooms that have members, on whichever node. Thread-safe.</summary>
/// <remarks>
/// The directory knows which rooms have members, and the store knows their names and kinds. A page costs each of them one query, of at most
/// <see cref="MaxRead"/> rooms, however few of these are of the kind that the player looks for. The page may then be short, or empty, and
/// says that there is more.
/// </remarks>
internal sealed class ClusterRoomList(ClusterNode node, IChatStore store, ServerSettings settings)
{
    private const int MaxRead = IChatStore.MaxReadLimit;

    /// <summary>Reads a page.</summary>
    /// <returns><see langword="null"/> when the node has no place in the cluster now.</returns>
    /// <exception cref="ClusterDirectoryException">The directory is away.</exception>
    /// <exception cref="StorageException">The store is away.</exception>
    public async Task<SListRoomsRes?> ReadAsync(CListRoomsReq query, int limit, CancellationToken cancellationToken)
    {
        if (node.Life is not { } life)
        {
            return null;
        }

        bool isFiltered = query.Type.Length > 0 || query.Properties.Count > 0;
        int most = isFiltered ? MaxRead : limit + 1;
        IReadOnlyList<RoomPopulation> read = await life.Directory.GetRoomsAsync(query.AfterRoomId, most, cancellationToken);
        IReadOnlyList<RoomPosition> stored = await store.FindRoomsAsync([.. read.Select(static room => room.RoomId)], cancellationToken);
        Dictionary<long, RoomPosition> byId = stored.ToDictionary(static room => room.RoomId);
        var page = new SListRoomsRes { More = read.Count == most };
        long last = 0;
        foreach (RoomPopulation room in read)
        {
            if (byId.GetValueOrDefault(room.RoomId) is { RoomName: { } name } position
                && RoomKind.Parse(position.Attributes) is var kind
                && IsMeant(kind, query))
            {
                if (page.Rooms.Count == limit)
                {
                    page.More = true;
                    break;
                }

                page.Rooms.Add(new RoomInfo
                {
                    RoomId = room.RoomId,
                    Name = name,
                    Members = (uint)room.Members,
                    MaxMembers = (uint)settings.Rooms.MaxMembers,
                    Type = kind.Type,
                    Properties = { kind.Properties },
                });
            }

            last = room.RoomId;
        }

        page.LastRoomId = page.More ? last : 0;
        return page;
    }

    private static bool IsMeant(RoomKind kind, CListRoomsReq query) =>
        (query.Type.Length == 0 || kind.Type == query.Type)
        && query.Properties.All(wanted => kind.Properties.TryGetValue(wanted.Key, out string? value) && value == wanted.Value);
}
