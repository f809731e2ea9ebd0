namespace PlayChat.Chat.Rooms;

/// <summary>
/// The newest client_message_ids of a room, by player, members or not. When there are too many players, those of the player that has been
/// silent for longest are dropped. Only the room's turn uses it.
/// </summary>
/// <param name="capacity">The number of ids that are kept for each player.</param>
/// <param name="maxPlayers">The number of players, more than the room has members.</param>
internal sealed class RecentOfPlayers(int capacity, int maxPlayers)
{
    private readonly Dictionary<long, (RecentMessages Recent, LinkedListNode<long> Use)> _players = [];
    private readonly LinkedList<long> _uses = new(); // the player that spoke last at the end

    /// <summary>Finds the message with an id, if the player has sent it before.</summary>
    public bool TryFind(long playerId, ulong clientMessageId, out long sequence)
    {
        sequence = 0;
        return _players.TryGetValue(playerId, out (RecentMessages Recent, LinkedListNode<long> Use) found)
            && found.Recent.TryFind(clientMessageId, out sequence);
    }

    /// <summary>Remembers a message that <see cref="TryFind"/> did not find.</summary>
    public void Add(long playerId, ulong clientMessageId, long sequence)
    {
        if (clientMessageId == 0)
        {
            return;
        }

        if (_players.TryGetValue(playerId, out (RecentMessages Recent, LinkedListNode<long> Use) known))
        {
            _uses.Remove(known.Use);
            _uses.AddLast(known.Use);
        }
        else
        {
            if (_players.Count == maxPlayers)
            {
                _players.Remove(_uses.First!.Value);
                _uses.RemoveFirst();
            }

            known = (new RecentMessages(capacity), _uses.AddLast(playerId));
            _players[playerId] = known;
        }

        known.Recent.Add(clientMessageId, sequence);
    }

    /// <summary>Forgets a message, so that it is a new one when it is sent again.</summary>
    public void Forget(long playerId, ulong clientMessageId)
    {
        if (_players.TryGetValue(playerId, out (RecentMessages Recent, LinkedListNode<long> Use) known))
        {
            known.Recent.Forget(clientMessageId);
        }
    }

    /// <summary>Remembers messages of the store.</summary>
    /// <param name="stored">Oldest first.</param>
    public void Restore(IReadOnlyList<ChatRecord> stored)
    {
        for (int i = 0; i < stored.Count; i++)
        {
            Add(stored[i].PlayerId, stored[i].ClientMessageId, stored[i].Sequence);
        }
    }
}
