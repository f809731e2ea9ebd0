namespace PlayChat.Core.Framing;

/// <summary>Walks forward through the segments of a sequence, so that the loop sees one plain span at a time.</summary>
internal ref struct SegmentCursor
{
    private readonly ref readonly ReadOnlySequence<byte> _buffer;
    private ReadOnlySpan<byte> _segment;
    private SequencePosition _position;
    private SequencePosition _nextPosition;
    private long _segmentOffset;
    private ArraySegment<byte> _array;

    public SegmentCursor(ref readonly ReadOnlySequence<byte> buffer)
    {
        _buffer = ref buffer;
        _position = buffer.Start;
        _nextPosition = _position;
        MoveNext();
    }

    /// <summary>The memory of the current segment; <see langword="null"/> where that is no array.</summary>
    public readonly byte[]? Array => _array.Array;

    /// <summary>What is to be added to an offset to find it in <see cref="Array"/>.</summary>
    public readonly long ArrayShift => _array.Offset - _segmentOffset;

    /// <summary>Whether no segment follows the current one. An empty one may follow, which is then found to hold nothing.</summary>
    public readonly bool IsLast => _nextPosition.GetObject() is null;

    /// <summary>The rest of the segment that holds <paramref name="offset"/>, which never lies before the current segment; empty at the
    /// buffer's end.</summary>
    public ReadOnlySpan<byte> From(long offset)
    {
        while (offset - _segmentOffset >= _segment.Length)
        {
            int passed = _segment.Length;
            if (!MoveNext())
            {
                break;
            }

            _segmentOffset += passed;
        }

        return _segment[(int)(offset - _segmentOffset)..];
    }

    /// <summary>Everything from <paramref name="offset"/> on, which lies in the current segment: found from there, not from the buffer's
    /// start.</summary>
    public readonly ReadOnlySequence<byte> SequenceFrom(long offset) =>
        _buffer.Slice(_buffer.GetPosition(offset - _segmentOffset, _position));

    private bool MoveNext()
    {
        SequencePosition next = _nextPosition;
        if (!_buffer.TryGet(ref _nextPosition, out ReadOnlyMemory<byte> memory))
        {
            return false;
        }

        _position = next;
        _segment = memory.Span;
        _ = MemoryMarshal.TryGetArray(memory, out _array);
        return true;
    }
}
