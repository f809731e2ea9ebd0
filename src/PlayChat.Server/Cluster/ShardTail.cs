namespace PlayChat.Server.Cluster;

/// <summary>The newest entries that a node has read from one log, bounded in time and bytes. Not thread-safe.</summary>
internal sealed class ShardTail(long maxBytes, TimeSpan maxAge, TimeProvider time)
{
    private readonly Queue<RoomEntry> _entries = new();
    private long _bytes;

    /// <summary>Every record with a higher sequence is in the tail.</summary>
    public long ReachesBackTo { get; private set; }

    public IReadOnlyCollection<RoomEntry> Entries => _entries;

    /// <summary>Notes the log's position when the node begins to read. It does not know earlier records.</summary>
    public void Begin(long sequence)
    {
        if (ReachesBackTo == 0 && _entries.Count == 0)
        {
            ReachesBackTo = sequence - 1;
        }
    }

    public void Add(RoomEntry added)
    {
        _entries.Enqueue(added);
        _bytes += added.Bytes;
        while (_entries.TryPeek(out RoomEntry? oldest) && (_bytes > maxBytes || time.GetElapsedTime(oldest.ReadAt) > maxAge))
        {
            _entries.Dequeue();
            _bytes -= oldest.Bytes;
            ReachesBackTo = oldest.Sequence;
        }
    }

    /// <summary>Drops all entries, because records up to a sequence are missing.</summary>
    public void Restart(long through)
    {
        _entries.Clear();
        _bytes = 0;
        ReachesBackTo = through;
    }
}
