using PlayChat.Server.Rooms;
using PlayChat.Storage;

namespace PlayChat.Server.Cluster;

/// <summary>
/// The newest client_message_ids of a room, by player. Every node fills it in the order of the log, so all nodes drop the same repeated
/// message. Only the room's turn uses it.
/// </summary>
/// <param name="capacity">The number of ids that are kept for each player.</param>
internal sealed class RecentOfPlayers(int capacity)
{
    private const int MaxPlayers = 8192; // more than a room has members

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
            if (_players.Count == MaxPlayers)
            {
                _players.Remove(_uses.First!.Value);
                _uses.RemoveFirst();
            }

            known = (new RecentMessages(capacity), _uses.AddLast(playerId));
            _players[playerId] = known;
        }

        known.Recent.Add(clientMessageId, sequence);
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
