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

    /// <summary>Takes a room of an earlier run from the quota of its creator, also if none is left. Nothing for 0, no creator.</summary>
    public void TakeOf(long playerId)
    {
        if (playerId == 0)
        {
            return;
        }

        lock (_ofPlayer)
        {
            _ofPlayer[playerId] = _ofPlayer.GetValueOrDefault(playerId) + 1;
        }
    }

    /// <summary>Takes a room of an earlier run from both quotas, also if none is left.</summary>
    public void Take(long creatorId)
    {
        Rooms.Take();
        TakeOf(creatorId);
    }

    public void GiveBack(long creatorId)
    {
        Rooms.GiveBack();
        GiveBackOf(creatorId);
    }

    public void GiveBackOf(long playerId)
    {
        lock (_ofPlayer)
        {
            if (_ofPlayer.GetValueOrDefault(playerId) is var taken and > 1)
            {
                _ofPlayer[playerId] = taken - 1;
            }
            else
            {
                _ofPlayer.Remove(playerId);
            }
        }
    }
}
