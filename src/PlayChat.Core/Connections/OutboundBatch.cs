namespace PlayChat.Core.Connections;

/// <summary>What one send will carry: pieces of pooled memory in order, some filled here, some shared with other connections.</summary>
/// <remarks>
/// Not thread-safe: it has one owner at a time, the queue that fills it or the send under way. Recycled, so that a send allocates nothing.
/// </remarks>
internal sealed class OutboundBatch
{
    // A broadcast shorter than this is copied behind the bytes already queued: cheaper than one more piece in a gathered send, and it
    // does not keep a whole block alive for a few bytes.
    internal const int ShareFromBytes = 4096;

    // As many as the system takes in one gathered send without allocating for it.
    private const int UsualPieces = 8;

    [ThreadStatic]
    private static OutboundBatch? s_spare;

    private readonly List<ArraySegment<byte>> _pieces = new(UsualPieces);
    private readonly List<Segment> _segments = new(UsualPieces);
    private Segment? _tail; // the last piece, while it is ours alone and can take more
    private int _tailStart;

    internal int Bytes { get; private set; }

    internal int Frames { get; private set; }

    /// <summary>The send that is under way with it.</summary>
    internal ValueTask<bool> UnderWay { get; set; }

    internal static OutboundBatch Rent()
    {
        OutboundBatch? batch = s_spare;
        if (batch is null)
        {
            return new OutboundBatch();
        }

        s_spare = null;
        return batch;
    }

    /// <summary>Gives room for one frame, in one piece.</summary>
    /// <param name="bytes">How long the frame is; <see cref="Advance"/> with the same number follows.</param>
    /// <param name="services">Where a new piece comes from and is counted.</param>
    /// <param name="hint">How much the whole batch is likely to hold.</param>
    internal Span<byte> GetSpan(int bytes, ConnectionServices services, int hint)
    {
        if (_tail is { } tail && tail.FreeBytes >= bytes)
        {
            return tail.Free;
        }

        return AddTail(Math.Max(bytes, hint), services).Free;
    }

    internal void Advance(int bytes, int frames = 1)
    {
        _tail!.Written += bytes;
        Bytes += bytes;
        Frames += frames;
    }

    /// <summary>
    /// Adds frames that other connections send as well. The caller keeps its hold on the segment; the batch adds its own if it keeps it.
    /// </summary>
    internal void AddShared(Segment segment, int start, int bytes, int frames, ConnectionServices services)
    {
        if (_segments.Count > 0 && bytes < ShareFromBytes)
        {
            AddCopied(segment, start, bytes, frames, services);
            return;
        }

        AddHeld(segment, start, bytes, frames, services);
    }

    /// <summary>
    /// Adds a few frames out of many that other connections send as well. They do not keep those alive, unless they are large themselves.
    /// </summary>
    internal void AddSome(Segment segment, int start, int bytes, int frames, ConnectionServices services)
    {
        if (bytes < ShareFromBytes)
        {
            AddCopied(segment, start, bytes, frames, services);
            return;
        }

        AddHeld(segment, start, bytes, frames, services);
    }

    /// <summary>
    /// Adds a part of a segment that stays the caller's as well, by a hold of the batch's own. The part is not written to any more.
    /// </summary>
    internal void AddHeld(Segment segment, int start, int bytes, int frames, ConnectionServices services)
    {
        SealTail();
        segment.Retain();
        AddPiece(segment, start, bytes, frames, services);
    }

    /// <summary>Adds all that a segment holds. The caller's hold passes to the batch, and no more is written to the segment.</summary>
    internal void AddOwned(Segment segment, int frames, ConnectionServices services)
    {
        SealTail();
        AddPiece(segment, 0, segment.Written, frames, services);
    }

    /// <summary>Moves all of another batch behind this one; the other is empty then, and given back.</summary>
    internal void Append(OutboundBatch other)
    {
        other.SealTail();
        SealTail();
        _segments.AddRange(other._segments);
        _pieces.AddRange(other._pieces);
        Bytes += other.Bytes;
        Frames += other.Frames;
        other.Clear();
    }

    /// <summary>The pieces in order, for a gathered send; complete until more is added.</summary>
    internal List<ArraySegment<byte>> Seal()
    {
        SealTail();
        return _pieces;
    }

    /// <summary>Gives the memory back, and the batch itself.</summary>
    internal void Release(ConnectionServices services)
    {
        SealTail();
        services.Metrics.PopSendBuffers(_segments.Count);
        foreach (Segment segment in _segments)
        {
            segment.Release();
        }

        Clear();
    }

    private void AddCopied(Segment segment, int start, int bytes, int frames, ConnectionServices services)
    {
        segment.Array.AsSpan(start, bytes).CopyTo(GetSpan(bytes, services, bytes));
        Advance(bytes, frames);
    }

    private void AddPiece(Segment segment, int start, int bytes, int frames, ConnectionServices services)
    {
        _segments.Add(segment);
        services.Metrics.PushSendBuffers(1);
        _pieces.Add(new ArraySegment<byte>(segment.Array, start, bytes));
        Bytes += bytes;
        Frames += frames;
    }

    private Segment AddTail(int bytes, ConnectionServices services)
    {
        SealTail();
        Segment tail = services.Pool.RentSegment(bytes);
        _tail = tail;
        _tailStart = _segments.Count;
        _segments.Add(tail);
        services.Metrics.PushSendBuffers(1);
        _pieces.Add(default); // its length is known when it is sealed
        return tail;
    }

    private void SealTail()
    {
        if (_tail is { } tail)
        {
            _pieces[_tailStart] = new ArraySegment<byte>(tail.Array, 0, tail.Written);
            _tail = null;
        }
    }

    private void Clear()
    {
        _segments.Clear();
        _pieces.Clear();
        _tail = null;
        Bytes = 0;
        Frames = 0;
        UnderWay = default;
        s_spare = this;
    }
}
