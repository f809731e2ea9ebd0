namespace PlayChat.Server.Rooms;

/// <summary>The sequences of the messages that a room has had lately, by player and client_message_id. For the room's turn alone.</summary>
/// <remarks>By player, not by session: a message is repeated most often after the link was lost, on a new session.</remarks>
/// <param name="capacity">How many it remembers; the oldest is forgotten for a new one.</param>
internal sealed class RecentMessages(int capacity)
{
    private readonly Dictionary<(long PlayerId, ulong ClientMessageId), long> _sequences = [];
    private readonly Queue<(long PlayerId, ulong ClientMessageId)> _order = [];

    /// <summary>Looks a message up. Id 0 is no id.</summary>
    public bool TryFind(long playerId, ulong clientMessageId, out long sequence)
    {
        sequence = 0;
        return clientMessageId != 0 && _sequences.TryGetValue((playerId, clientMessageId), out sequence);
    }

    /// <summary>Remembers a message that <see cref="TryFind"/> did not find.</summary>
    public void Add(long playerId, ulong clientMessageId, long sequence)
    {
        if (clientMessageId == 0 || capacity == 0)
        {
            return;
        }

        if (_order.Count == capacity)
        {
            _sequences.Remove(_order.Dequeue());
        }

        _sequences.Add((playerId, clientMessageId), sequence);
        _order.Enqueue((playerId, clientMessageId));
    }
}
