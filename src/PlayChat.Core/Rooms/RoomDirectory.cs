namespace PlayChat.Core.Rooms;

/// <summary>The rooms that are listed, in the order of their ids: a page costs what is looked at for it, however many there are. Thread-safe.</summary>
internal sealed class RoomDirectory
{
    // Looked at in pieces: a filter that few rooms pass must not hold up who creates or removes one.
    private const int IdsPerPiece = 256;

    private readonly object _gate = new();
    private readonly SortedSet<long> _ids = []; // guarded by _gate

    /// <summary>Lists the room with this id, if it is registered and not private.</summary>
    internal void Set(long id, RoomRegistry rooms)
    {
        lock (_gate)
        {
            // Looked at in here: of two who change it at once, the later one sees both.
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

    internal RoomPage List(RoomQuery query, RoomRegistry rooms)
    {
        List<RoomInfo> page = [];
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
                    return new RoomPage(page, HasMore: true);
                }

                page.Add(info);
            }
        }
        while (ids.Length > 0);

        return new RoomPage(page, HasMore: false);
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
