namespace PlayChat.Chat.Rooms;

/// <summary>
/// The sequences of the messages that a room has had lately from one player, by client_message_id. For the room's turn alone.
/// </summary>
/// <param name="capacity">How many it remembers; the oldest is forgotten for a new one.</param>
internal sealed class RecentMessages(int capacity)
{
    private const int FirstLength = 16;

    // A ring, as long as needed; 0 is no id. Ids apart, for the search.
    private ulong[] _ids = [];
    private long[] _sequences = [];
    private int _next;

    /// <summary>Looks a message up. Id 0 is no id.</summary>
    public bool TryFind(ulong clientMessageId, out long sequence)
    {
        int index = clientMessageId == 0 ? -1 : Array.IndexOf(_ids, clientMessageId);
        sequence = index < 0 ? 0 : _sequences[index];
        return index >= 0;
    }

    /// <summary>Forgets a message, so that it is a new one when it is sent again.</summary>
    public void Forget(ulong clientMessageId)
    {
        int index = clientMessageId == 0 ? -1 : Array.IndexOf(_ids, clientMessageId);
        if (index >= 0)
        {
            _ids[index] = 0;
        }
    }

    /// <summary>Remembers a message that <see cref="TryFind"/> did not find.</summary>
    public void Add(ulong clientMessageId, long sequence)
    {
        if (clientMessageId == 0 || capacity == 0)
        {
            return;
        }

        if (_next == _ids.Length && _ids.Length < capacity)
        {
            int length = Math.Min(capacity, Math.Max(FirstLength, _ids.Length * 2));
            Array.Resize(ref _ids, length);
            Array.Resize(ref _sequences, length);
        }

        _next %= _ids.Length;
        (_ids[_next], _sequences[_next]) = (clientMessageId, sequence);
        _next++;
    }
}
