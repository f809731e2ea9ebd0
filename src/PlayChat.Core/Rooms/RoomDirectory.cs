namespace PlayChat.Core.Rooms;

/// <summary>The ids of the rooms that are listed, in order. The cost of a page does not depend on the total number of rooms.</summary>
/// <remarks>
/// Invariant: <c>_ids</c> has the ids of the registered rooms that are not private; each change of a room is followed by <see cref="Set"/>.
/// Thread-safe.
/// </remarks>
internal sealed class RoomDirectory
{
    // A page is collected in pieces, so that a filter which few rooms pass does not block the threads that create and remove rooms.
    private const int IdsPerPiece = 256;

    private readonly object _gate = new();
    private readonly SortedSet<long> _ids = []; // guarded by _gate

    /// <summary>Lists the room with this id if it is registered and not private; otherwise removes it from the list.</summary>
    internal void Set(long id, RoomRegistry rooms)
    {
        lock (_gate)
        {
            // Checked under the lock: if two threads change the room at once, the later one sees both changes.
            if (rooms.Find(id) is { IsPrivate: false })
            {
                _ids.Add(id);
            }
            else
            {
                _ids.Remove(id);
            }
        }
    }

    internal IReadOnlyList<RoomDescription> List(RoomQuery query, RoomRegistry rooms, out bool hasMore)
    {
        List<RoomDescription> page = [];
        long after = query.AfterId;
        long[] ids;
        do
        {
            ids = Next(after, Math.Min(IdsPerPiece, query.Limit - page.Count + 1));
            foreach (long id in ids)
            {
                after = id;
                if (rooms.Find(id) is not { Info: var info } room || !query.Matches(room, info))
                {
                    continue;
                }

                if (page.Count == query.Limit)
                {
                    hasMore = true;
                    return page;
                }

                page.Add(info);
            }
        }
        while (ids.Length > 0);

        hasMore = false;
        return page;
    }

    private long[] Next(long after, int count)
    {
        if (after == long.MaxValue)
        {
            return [];
        }

        lock (_gate)
        {
            return [.. _ids.GetViewBetween(after + 1, long.MaxValue).Take(count)];
        }
    }
}
