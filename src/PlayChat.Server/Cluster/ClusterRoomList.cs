using System.Collections.Concurrent;
using PlayChat.Core.Cluster;
using PlayChat.Core.Hosting;
using PlayChat.Protocol;
using PlayChat.Server.Configuration;
using PlayChat.Server.Rooms;
using PlayChat.Storage;

namespace PlayChat.Server.Cluster;

/// <summary>Lists the rooms that have members, on whichever node. Thread-safe.</summary>
/// <remarks>
/// The directory knows which rooms have members, and the store knows their names. A name never changes, so it is read once.
/// </remarks>
internal sealed class ClusterRoomList(ClusterNode node, PlayChatServer server, IChatStore store, ServerSettings settings)
{
    private const int MaxKnown = 10_000;
    private const int MinRead = 50;

    private readonly ConcurrentDictionary<long, KnownRoom> _known = [];

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

        var page = new SListRoomsRes();
        int most = Math.Max(MinRead, limit + 1);
        IReadOnlyList<RoomPopulation> read;
        long after = query.AfterRoomId;
        do
        {
            read = await life.Directory.GetRoomsAsync(after, most, cancellationToken);
            foreach (RoomPopulation room in read)
            {
                after = room.RoomId;
                if (await FindAsync(room.RoomId, cancellationToken) is not { } known || !IsMeant(known.Kind, query))
                {
                    continue;
                }

                if (page.Rooms.Count == limit)
                {
                    page.More = true;
                    return page;
                }

                page.Rooms.Add(new RoomInfo
                {
                    RoomId = room.RoomId,
                    Name = known.Name,
                    Members = (uint)room.Members,
                    MaxMembers = (uint)settings.Rooms.MaxMembers,
                    Type = known.Kind.Type,
                    Properties = { known.Kind.Properties },
                });
            }
        }
        while (read.Count == most);

        return page;
    }

    private static bool IsMeant(RoomKind kind, CListRoomsReq query) =>
        (query.Type.Length == 0 || kind.Type == query.Type)
        && query.Properties.All(wanted => kind.Properties.TryGetValue(wanted.Key, out string? value) && value == wanted.Value);

    private async ValueTask<KnownRoom?> FindAsync(long roomId, CancellationToken cancellationToken)
    {
        if (server.Rooms.Find(roomId) is ChatRoom here)
        {
            return new KnownRoom(here.Name, here.Kind);
        }

        if (_known.TryGetValue(roomId, out KnownRoom? known))
        {
            return known;
        }

        if (await store.GetRoomPositionAsync(roomId, cancellationToken) is not { RoomName: { } name } position)
        {
            return null;
        }

        if (_known.Count >= MaxKnown)
        {
            _known.Clear(); // read again when they are asked for
        }

        return _known[roomId] = new KnownRoom(name, RoomKind.Parse(position.Attributes));
    }

    private sealed record KnownRoom(string Name, RoomKind Kind);
}
