namespace PlayChat.Core.Connections;

/// <summary>The bytes that one connection has received and not handled yet, in one piece, so that framing works on a plain span.</summary>
/// <remarks>
/// Only the receive loop uses it. It holds memory only while bytes wait in it or a receive is about to fill it. Nearly always all received
/// bytes are handled at once, and nothing is moved. An incomplete frame is moved to the front, or to a larger piece if it needs one.
/// </remarks>
internal struct InboundBuffer
{
    // With less free space than this behind the unread bytes, a receive is not worth its system call.
    private const int MinReceiveBytes = 4096;

    private Segment? _segment;
    private int _start;
    private int _end;
    private int _usualBytes; // 0: the usual size; else what the last frame that was larger took

    /// <summary>The memory; there is some while a batch is handled.</summary>
    internal readonly Segment Segment => _segment!;

    /// <summary>The bytes that are received but not handled yet.</summary>
    internal readonly ReadOnlySequence<byte> Unread => new(_segment!.Array, _start, _end - _start);

    internal readonly int WaitingBytes => _end - _start;

    /// <summary>Returns memory to receive into.</summary>
    /// <param name="missing">How many bytes the frame at the end still lacks; 0 if that is unknown.</param>
    /// <param name="pool">Where the memory comes from.</param>
    internal Memory<byte> GetMemory(int missing, SegmentPool pool)
    {
        if (_segment is null)
        {
            _segment = pool.RentSegment(Math.Max(_usualBytes, SegmentPool.ReceiveBytes));
        }
        else if (_segment.Array.Length - _end < Math.Max(missing, MinReceiveBytes))
        {
            MakeRoom(missing, pool);
        }

        return _segment.Array.AsMemory(_end);
    }

    internal void Advance(int bytes)
    {
        _end += bytes;
        if (_usualBytes > bytes * 4)
        {
            _usualBytes = 0; // large frames have ceased
        }
    }

    internal void Consume(int bytes)
    {
        _start += bytes;
        if (_start == _end)
        {
            _start = _end = 0;
        }
    }

    internal void Clear() => _start = _end = 0;

    /// <summary>Moves the waiting bytes to a segment of their size; if there are none, only gives up the present one.</summary>
    internal void LeaveSegment(SegmentPool pool)
    {
        if (_start == _end)
        {
            Release();
        }
        else
        {
            MoveTo(pool.RentSegment(_end - _start));
        }
    }

    /// <summary>Before a wait: returns the memory that the waiting bytes do not need.</summary>
    internal void Shrink(SegmentPool pool)
    {
        if (_start == _end || WaitingBytes <= _segment!.Array.Length / 4)
        {
            LeaveSegment(pool);
        }
    }

    internal void Release()
    {
        _segment?.Release();
        _segment = null;
        _start = _end = 0;
    }

    private void MakeRoom(int missing, SegmentPool pool)
    {
        int waiting = _end - _start;
        // At most twice the bytes that were received: a header that announces a large frame must not make the server hold that much memory.
        int wanted = Math.Max(Math.Min(waiting + missing, waiting * 2), SegmentPool.ReceiveBytes);
        if (_segment!.Array.Length >= wanted && _segment.Array.Length - waiting >= MinReceiveBytes)
        {
            _segment.Array.AsSpan(_start, waiting).CopyTo(_segment.Array);
            (_start, _end) = (0, waiting);
        }
        else
        {
            int needed = Math.Max(wanted, waiting + MinReceiveBytes);
            Segment larger = pool.RentSegment(needed > SegmentPool.ReceiveBytes ? Math.Max(needed, SegmentPool.LargeReceiveBytes) : needed);
            _usualBytes = larger.Array.Length > SegmentPool.ReceiveBytes ? larger.Array.Length : 0;
            MoveTo(larger);
        }
    }

    private void MoveTo(Segment segment)
    {
        int waiting = _end - _start;
        _segment!.Array.AsSpan(_start, waiting).CopyTo(segment.Array);
        _segment.Release();
        _segment = segment;
        (_start, _end) = (0, waiting);
    }
}
