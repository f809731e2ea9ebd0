using System.Security.Cryptography;
using System.Text;

namespace PlayChat.Chat.Rooms;

/// <summary>The names of rooms, where no two may be the same (Rooms:UniqueNames); elsewhere it takes every name. Thread-safe.</summary>
internal sealed class RoomNames(ServerSettings settings)
{
    private readonly Dictionary<string, long> _rooms = new(StringComparer.Ordinal); // 0: being made; guarded by itself

    private bool AreUnique => settings.RoomsLast && settings.Rooms.UniqueNames;

    /// <summary>Keeps a name for a room that is about to be made, unless another has it, whose id is 0 while it is being made.</summary>
    public bool TryTake(string name, out long other)
    {
        other = 0;
        if (!AreUnique)
        {
            return true;
        }

        lock (_rooms)
        {
            return _rooms.TryAdd(KeyOf(name), 0) || !_rooms.TryGetValue(KeyOf(name), out other);
        }
    }

    /// <summary>A room has a name. Of two rooms that had the same before it was forbidden, the first counts.</summary>
    public void Set(string name, long id)
    {
        if (!AreUnique)
        {
            return;
        }

        lock (_rooms)
        {
            if (_rooms.GetValueOrDefault(KeyOf(name)) == 0)
            {
                _rooms[KeyOf(name)] = id;
            }
        }
    }

    /// <summary>Frees the name of a room, or one that was kept for a room that is not made, whose id is 0.</summary>
    public void GiveBack(string name, long id = 0)
    {
        if (!AreUnique)
        {
            return;
        }

        lock (_rooms)
        {
            if (_rooms.TryGetValue(KeyOf(name), out long owner) && (owner == id || owner == 0))
            {
                _rooms.Remove(KeyOf(name));
            }
        }
    }

    /// <summary>What the nodes of a cluster claim in the store: a hash, because a key may be longer than the store takes.</summary>
    /// <param name="name">The name of a room.</param>
    /// <param name="id">The room, whose claim is its own alone where names need not be unique.</param>
    public string ClaimOf(string name, long id) =>
        AreUnique ? Convert.ToHexString(SHA256.HashData(Encoding.UTF8.GetBytes(KeyOf(name)))) : $"{id}";

    // As the names of players are compared: case and compatible forms make no difference.
    private static string KeyOf(string name) => name.Normalize(NormalizationForm.FormKC).ToUpperInvariant();
}
