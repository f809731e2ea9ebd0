using PlayChat.Cluster.Log;

namespace PlayChat.Chat.Cluster;

/// <summary>The newest records that a node has read from one log, bounded in time and bytes. Not thread-safe.</summary>
/// <remarks>
/// It keeps them as bytes in large chunks, and drops whole chunks. A busy log has hundreds of thousands of records in a tail. As objects
/// they would all outlive the youngest generations, and each collection would stop the node to copy them.
/// </remarks>
internal sealed class ShardTail(long maxBytes, TimeSpan maxAge, TimeProvider time)
{
    private const int RecordBytes = 96; // of a record beside its body, approximately

    private readonly Queue<Chunk> _chunks = new(); // oldest first
    private readonly int _chunkBytes = (int)Math.Clamp(maxBytes / 8, 1 << 10, 64 << 10); // below the size of a large object
    private Chunk? _newest; // the last of _chunks
    private Chunk? _spare;
    private long _bytes;

    /// <summary>Every record with a higher sequence is in the tail.</summary>
    public long ReachesBackTo { get; private set; }

    /// <summary>Notes the log's position when the node begins to read. It does not know earlier records.</summary>
    public void Begin(long sequence)
    {
        if (ReachesBackTo == 0 && _chunks.Count == 0)
        {
            ReachesBackTo = sequence - 1;
        }
    }

    /// <summary>Keeps a copy of a record, and drops what is too old or too much. The chunk with the newest record stays.</summary>
    public void Add(in LogPosition position, RecordOrigin origin, in RoomRecord record)
    {
        int bytes = record.Body.Length + RecordBytes;
        if (_newest is null || _newest.Bytes + bytes > _chunkBytes)
        {
            _newest = _spare ?? new Chunk();
            _spare = null;
            _chunks.Enqueue(_newest);
        }

        long now = time.GetTimestamp();
        _newest.Add(new Kept(position, origin, record.RoomId, record.UserId, record.Token, record.Kind, now), record.Body.Span, bytes);
        _bytes += bytes;
        while (_chunks.Peek() is { } oldest
            && oldest != _newest
            && (_bytes > maxBytes || time.GetElapsedTime(oldest.Newest.ReadAt, now) > maxAge))
        {
            _chunks.Dequeue();
            _bytes -= oldest.Bytes;
            ReachesBackTo = RoomEntry.SequenceOf(oldest.Newest.Position);
            oldest.Clear();
            _spare = oldest;
        }
    }

    /// <summary>The records of a room, in the order of the log.</summary>
    public RoomEntry[] OfRoom(long roomId) => [.. _chunks.SelectMany(chunk => chunk.Where(kept => kept.RoomId == roomId))];

    /// <summary>The records that a node has published, in the order of the log, without messages that a record before them says.</summary>
    public RoomEntry[] OfNode(RecordOrigin node)
    {
        HashSet<(long RoomId, long UserId, ulong Token)> said = []; // through any node, as a player may send a message again elsewhere
        bool IsFirst(Kept kept) => kept.Token == 0 || said.Add((kept.RoomId, kept.UserId, kept.Token));
        return [.. _chunks.SelectMany(chunk => chunk.Where(kept => IsFirst(kept) && kept.Origin == node))];
    }

    /// <summary>Drops everything, because records up to a sequence are missing.</summary>
    public void Restart(long through)
    {
        _chunks.Clear();
        _newest = null;
        _bytes = 0;
        ReachesBackTo = through;
    }

    /// <summary>A record without its body.</summary>
    private readonly record struct Kept(
        LogPosition Position, RecordOrigin Origin, long RoomId, long UserId, ulong Token, byte Kind, long ReadAt);

    private sealed class Chunk
    {
        private readonly List<(Kept Record, int Start, int Length)> _records = [];
        private byte[] _bodies = [];
        private int _used;

        public int Bytes { get; private set; }

        public Kept Newest => _records[^1].Record;

        public void Add(in Kept record, ReadOnlySpan<byte> body, int bytes)
        {
            if (_bodies.Length - _used < body.Length)
            {
                Array.Resize(ref _bodies, Math.Max(_bodies.Length * 2, _used + body.Length));
            }

            body.CopyTo(_bodies.AsSpan(_used));
            _records.Add((record, _used, body.Length));
            _used += body.Length;
            Bytes += bytes;
        }

        public void Clear()
        {
            _records.Clear();
            _used = 0;
            Bytes = 0;
        }

        public IEnumerable<RoomEntry> Where(Predicate<Kept> isWanted)
        {
            foreach ((Kept record, int start, int length) in _records)
            {
                if (isWanted(record) && RoomEntryBody.TryDecode(_bodies.AsSpan(start, length), out RoomEntryBody body))
                {
                    yield return new RoomEntry(
                        (RoomEntryKind)record.Kind, record.Position, record.Origin, record.RoomId, record.UserId, record.Token, body);
                }
            }
        }
    }
}
