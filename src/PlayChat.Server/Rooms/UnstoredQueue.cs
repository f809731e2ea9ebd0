namespace PlayChat.Server.Rooms;

/// <summary>
/// The events of a room that members hear only when the store has the messages before them (ChatLog:Durability Stored). Only the room's
/// turn uses it, except <see cref="OldestTimestamp"/>.
/// </summary>
internal sealed class UnstoredQueue
{
    private readonly Queue<UnstoredMessage> _events = new();
    private long _oldest;

    /// <summary>When the oldest event was added, as a timestamp; 0 when the queue is empty. Safe to read from any thread.</summary>
    public long OldestTimestamp => Interlocked.Read(ref _oldest);

    public bool IsEmpty => _events.Count == 0;

    public void Add(UnstoredMessage added)
    {
        _events.Enqueue(added);
        NoteOldest();
    }

    /// <summary>Finds the message with a sequence; <see langword="null"/> when it is not in the queue.</summary>
    public UnstoredMessage? Find(long sequence) => _events.FirstOrDefault(message => message.Said.Sequence == sequence);

    /// <summary>
    /// Takes the oldest event if it waits no longer. A join is not stored, so it only waits for the messages before it, as a message does
    /// that the store refuses.
    /// </summary>
    /// <param name="storedThrough">The sequence of the newest message that the store has.</param>
    /// <returns><see langword="null"/> when there is none.</returns>
    public UnstoredMessage? TakeStored(long storedThrough)
    {
        UnstoredMessage? stored = _events.TryPeek(out UnstoredMessage? first)
            && (!first.Said.IsMessage || first.IsRefused || first.Said.Sequence <= storedThrough)
            ? _events.Dequeue()
            : null;
        NoteOldest();
        return stored;
    }

    /// <summary>The requests of messages that were added at or before a timestamp, in order. The messages stay in the queue.</summary>
    public IEnumerable<RoomRequest> WaitingSince(long timestamp) => _events
        .Where(message => message.Since <= timestamp)
        .SelectMany(static message => message.Requests);

    /// <summary>Drops all events, because the room has no members left. The store still gets the messages.</summary>
    public void Clear()
    {
        _events.Clear();
        NoteOldest();
    }

    private void NoteOldest() =>
        Interlocked.Exchange(ref _oldest, _events.TryPeek(out UnstoredMessage? first) ? first.Since : 0);
}
