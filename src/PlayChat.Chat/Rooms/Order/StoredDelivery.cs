using System.Collections.Concurrent;

namespace PlayChat.Chat.Rooms.Order;

/// <summary>
/// ChatLog:Durability Stored: tells rooms what the store has, and tells senders that waited too long that nothing is stored. Thread-safe.
/// </summary>
internal sealed class StoredDelivery : IDisposable
{
    private readonly ConcurrentDictionary<long, StoredOrder> _rooms = []; // those in which something waits, by id
    private readonly TimeSpan _timeout;
    private readonly TimeProvider _time;
    private readonly ITimer? _timer;
    private volatile bool _isStuck;

    public StoredDelivery(ServerSettings settings, TimeProvider time)
    {
        _timeout = settings.ChatLog.FullTimeout;
        _time = time;
        IsStored = settings.ChatLog.Durability == Durability.Stored;
        if (IsStored)
        {
            var interval = TimeSpan.FromTicks(Math.Clamp(_timeout.Ticks / 4, TimeSpan.TicksPerSecond / 10, TimeSpan.TicksPerSecond));
            _timer = time.CreateTimer(static state => ((StoredDelivery)state!).Look(), this, interval, interval);
        }
    }

    /// <summary>Whether messages are heard only when they are stored.</summary>
    public bool IsStored { get; }

    /// <summary>Whether something has waited for longer than ChatLog:FullTimeout.</summary>
    public bool IsStuck => _isStuck;

    /// <summary>Something waits in a room now.</summary>
    public void Add(StoredOrder room) => _rooms[room.RoomId] = room;

    /// <summary>Nothing waits in it any longer.</summary>
    // Only itself: when a room of an earlier run wakes again, the new one has the same id.
    public void Remove(StoredOrder room) => _rooms.TryRemove(new(room.RoomId, room));

    public void Dispose() => _timer?.Dispose();

    /// <summary>The store has these. For the chat log's loop: returns at once.</summary>
    public void OnStored(IReadOnlyList<ChatRecord> records)
    {
        _isStuck = false;
        var through = new Dictionary<long, long>();
        foreach (ChatRecord record in records)
        {
            if (record.EditedAt is null) // a change has the sequence of its message, which the store had before
            {
                through[record.RoomId] = record.Sequence; // a room's records are in its order
            }
        }

        foreach ((long roomId, long sequence) in through)
        {
            if (_rooms.TryGetValue(roomId, out StoredOrder? room))
            {
                room.NoteStored(sequence);
            }
        }
    }

    /// <summary>The store refuses these for good. For the chat log's loop, before <see cref="OnStored"/> has the others.</summary>
    public void OnRefused(IReadOnlyList<ChatRecord> records)
    {
        _isStuck = false;
        foreach (ChatRecord record in records)
        {
            if (_rooms.TryGetValue(record.RoomId, out StoredOrder? room))
            {
                room.NoteRefused(record.Sequence);
            }
        }
    }

    private void Look()
    {
        long overdue = _time.GetTimestamp() - (long)(_timeout.TotalSeconds * _time.TimestampFrequency);
        List<StoredOrder> late = [];
        foreach (StoredOrder room in _rooms.Values)
        {
            if (room.OldestUnstored is var oldest && oldest != 0 && oldest <= overdue)
            {
                late.Add(room);
            }
        }

        // While _isStuck is set, a new sender is refused at once. It is set before NoteOverdue, so that a sender whose message is refused
        // finds it set, and so that a later OnStored clears it.
        _isStuck = late.Count > 0;
        late.ForEach(room => room.NoteOverdue(overdue));
    }
}
