namespace PlayChat.Core.Rooms;

/// <summary>Finds the registered rooms by their names, and of several with one name the first created.</summary>
/// <remarks>
/// Invariant: <c>_names</c> has the name and the id of each registered room; each change of the registry is followed by <see cref="Set"/>.
/// Thread-safe.
/// </remarks>
internal sealed class RoomNames
{
    private readonly object _gate = new();

    // Guarded by _gate. Ids rise, so the first of a name was created first.
    private readonly SortedSet<(string Name, long Id)> _names = new(Comparer<(string Name, long Id)>.Create(Compare));

    /// <summary>Adds the room if it is registered; otherwise removes it.</summary>
    internal void Set(Room room, RoomRegistry rooms)
    {
        lock (_gate)
        {
            // Checked under the lock: a room that is removed while its creation is being noted is not left behind.
            if (rooms.Find(room.Id) == room)
            {
                _names.Add((room.Name, room.Id));
            }
            else
            {
                _names.Remove((room.Name, room.Id));
            }
        }
    }

    /// <summary>Returns the first room with a name that is of a type.</summary>
    internal TRoom? Find<TRoom>(string name, RoomRegistry rooms)
        where TRoom : Room
    {
        lock (_gate)
        {
            return _names.GetViewBetween((name, 0), (name, long.MaxValue))
                .Select(entry => rooms.Find(entry.Id))
                .OfType<TRoom>()
                .FirstOrDefault();
        }
    }

    private static int Compare((string Name, long Id) one, (string Name, long Id) other) =>
        string.CompareOrdinal(one.Name, other.Name) is not 0 and var order ? order : one.Id.CompareTo(other.Id);
}
