namespace PlayChat.Server.Cluster;

/// <summary>What a node has read from one log lately, bounded in time and bytes. Not thread-safe.</summary>
internal sealed class ShardTail(long maxBytes, TimeSpan maxAge, TimeProvider time)
{
    private readonly Queue<RoomEntry> _entries = new();
    private long _bytes;

    /// <summary>Every record after this sequence is here.</summary>
    public long ReachesBackTo { get; private set; }

    public IReadOnlyCollection<RoomEntry> Entries => _entries;

    /// <summary>Notes where the log is. What was there before the node began to read is not known.</summary>
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

    /// <summary>Records up to a sequence are missing.</summary>
    public void Restart(long through)
    {
        _entries.Clear();
        _bytes = 0;
        ReachesBackTo = through;
    }
}
