namespace PlayChat.Chat.Rooms;

/// <summary>How many rooms there may be, in all and of one creator. Thread-safe.</summary>
internal sealed class RoomQuotas(ServerSettings settings)
{
    private readonly Dictionary<long, int> _ofPlayer = []; // guarded by itself

    /// <summary>The rooms of the server: taken before one is made, given back when it is removed.</summary>
    public Quota Rooms { get; } = new(() => settings.Rooms.MaxRooms);

    /// <summary>Takes a room from the quota of the player that creates it, if one is left.</summary>
    public bool TryTakeOf(long playerId)
    {
        lock (_ofPlayer)
        {
            int taken = _ofPlayer.GetValueOrDefault(playerId);
            if (taken >= settings.Rooms.MaxCreatedPerPlayer)
            {
                return false;
            }

            _ofPlayer[playerId] = taken + 1;
            return true;
        }
    }

    /// <summary>Gives one back that <see cref="TryTakeOf"/> took.</summary>
    public void GiveBackOf(long playerId)
    {
        lock (_ofPlayer)
        {
            if (--_ofPlayer[playerId] == 0)
            {
                _ofPlayer.Remove(playerId);
            }
        }
    }
}
