using PlayChat.Chat.Accounts;

namespace PlayChat.Chat.Rooms;

/// <summary>How many rooms there may be, in all and of one creator. Thread-safe.</summary>
internal sealed class RoomQuotas(ServerSettings settings)
{
    private readonly Tally<long> _ofPlayer = new(); // guarded by itself
    private int _rooms; // guarded by _ofPlayer

    /// <summary>Takes a room from the quota of the server, before it is made, if one is left.</summary>
    public bool TryTake()
    {
        lock (_ofPlayer)
        {
            bool isLeft = _rooms < settings.Rooms.MaxRooms;
            if (isLeft)
            {
                _rooms++;
            }

            return isLeft;
        }
    }

    /// <summary>Takes a room from the quota of the player that creates it, if one is left.</summary>
    public bool TryTakeOf(long playerId)
    {
        lock (_ofPlayer)
        {
            bool isLeft = _ofPlayer.Of(playerId) < settings.Rooms.MaxCreatedPerPlayer;
            if (isLeft)
            {
                _ofPlayer.Add(playerId);
            }

            return isLeft;
        }
    }

    /// <summary>Takes a room of an earlier run from the quota of its creator, also if none is left. Nothing for 0, no creator.</summary>
    public void TakeOf(long playerId)
    {
        lock (_ofPlayer)
        {
            if (playerId != 0)
            {
                _ofPlayer.Add(playerId);
            }
        }
    }

    /// <summary>Takes a room of an earlier run from both quotas, also if none is left.</summary>
    public void Take(long creatorId)
    {
        lock (_ofPlayer)
        {
            _rooms++;
            TakeOf(creatorId);
        }
    }

    /// <summary>Gives a room back to both quotas, or to that of the server alone, where the creator is 0.</summary>
    public void GiveBack(long creatorId)
    {
        lock (_ofPlayer)
        {
            _rooms--;
            _ofPlayer.Remove(creatorId);
        }
    }

    public void GiveBackOf(long playerId)
    {
        lock (_ofPlayer)
        {
            _ofPlayer.Remove(playerId);
        }
    }
}
