using PlayChat.Core.Rooms;

namespace PlayChat.Server.Rooms;

/// <summary>The open rooms in the order of their ids: a page of them costs its own length, however many there are. Thread-safe.</summary>
internal sealed class RoomDirectory
{
    private readonly object _gate = new();
    private readonly SortedSet<long> _ids = []; // guarded by _gate

    /// <summary>Lists a room from now on.</summary>
    public void Add(long id)
    {
        lock (_gate)
        {
            _ids.Add(id);
        }
    }

    /// <summary>Lists a room no longer; one that was never listed is none.</summary>
    public void Remove(long id)
    {
        lock (_gate)
        {
            _ids.Remove(id);
        }
    }

    /// <summary>The first rooms behind an id, by ascending id.</summary>
    /// <param name="afterId">Not in the page.</param>
    /// <param name="limit">Most rooms.</param>
    /// <param name="rooms">Where they are looked up.</param>
    public List<ChatRoom> Page(long afterId, int limit, RoomRegistry rooms)
    {
        List<ChatRoom> page = [];
        if (afterId == long.MaxValue)
        {
            return page;
        }

        lock (_gate)
        {
            foreach (long id in _ids.GetViewBetween(afterId + 1, long.MaxValue))
            {
                if (page.Count == limit)
                {
                    break;
                }

                // One without members is being removed.
                if (rooms.Find(id) is ChatRoom { Population: > 0 } room)
                {
                    page.Add(room);
                }
            }
        }

        return page;
    }
}
