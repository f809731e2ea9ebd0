using System.Buffers;

namespace PlayChat.Core.Framing;

/// <summary>One received frame: a view into the receive buffer that owns nothing.</summary>
/// <remarks>
/// Valid during the handler's call. The sequence that <see cref="Body"/> returns may be kept longer, until the handler's task
/// has completed: the bytes stay where they are until then. Whoever wants them for longer copies them
/// (<see cref="ToArray"/>, <see cref="CopyTo"/>).
/// </remarks>
public readonly ref struct Frame
{
    // Holds the body, and before it the header where that is known; empty when the body lies in several segments. Made by the loop
    // from the span it already has: slicing the sequence for every frame costs ten times the parse.
    private readonly ReadOnlySpan<byte> _contiguous;
    private readonly FrameFormat? _format; // in which _contiguous is the whole frame
    private readonly ref readonly ReadOnlySequence<byte> _buffer;
    private readonly long _bodyOffset;
    private readonly int _bodyStart; // in _contiguous
    private readonly int _bodyBytes;
    private readonly FrameHeader _header;

    /// <param name="header">What stood beside the body.</param>
    /// <param name="contiguous">The body where it lies in one segment; otherwise empty.</param>
    /// <param name="buffer">The sequence the body lies in; read only when somebody asks for <see cref="Body"/>.</param>
    /// <param name="bodyOffset">Where in <paramref name="buffer"/> the body starts.</param>
    /// <param name="bodyBytes">How long the body is.</param>
    internal Frame(FrameHeader header, ReadOnlySpan<byte> contiguous, ref readonly ReadOnlySequence<byte> buffer, long bodyOffset, int bodyBytes)
    {
        _contiguous = contiguous;
        _buffer = ref buffer;
        _bodyOffset = bodyOffset;
        _bodyBytes = bodyBytes;
        _header = header;
    }

    /// <param name="header">What stood beside the body.</param>
    /// <param name="encoded">The whole frame, in one segment.</param>
    /// <param name="bounds">Where the body lies in it.</param>
    /// <param name="format">The format it could be sent in as it is; <see langword="null"/> where it would be written otherwise.</param>
    /// <param name="buffer">The sequence the frame lies in.</param>
    /// <param name="offset">Where in <paramref name="buffer"/> the frame starts.</param>
    internal Frame(
        FrameHeader header, ReadOnlySpan<byte> encoded, in FrameBounds bounds, FrameFormat? format, ref readonly ReadOnlySequence<byte> buffer, long offset)
    {
        _contiguous = encoded;
        _format = format;
        _buffer = ref buffer;
        _bodyOffset = offset + bounds.BodyOffset;
        _bodyStart = bounds.BodyOffset;
        _bodyBytes = bounds.BodyBytes;
        _header = header;
    }

    /// <summary>What stood beside the body.</summary>
    public FrameHeader Header => _header;

    /// <summary>Which message the body is; 0 where the format has no such field.</summary>
    public ushort PacketId => _header.PacketId;

    /// <summary>The number the answer carries, too; 0 for a one-way message or where the format has no such field.</summary>
    public ushort RequestId => _header.RequestId;

    /// <summary>Who sent the body, by its own word; 0 where the format has no such field.</summary>
    public ushort SenderId => _header.SenderId;

    /// <summary>Length of the body in bytes, without header and trailer; 0 for an empty body.</summary>
    public int BodyBytes => _bodyBytes;

    /// <summary>The body as a sequence. It is sliced at each call, so take it once.</summary>
    public ReadOnlySequence<byte> Body => _bodyBytes == 0 ? ReadOnlySequence<byte>.Empty : _buffer.Slice(_bodyOffset, _bodyBytes);

    /// <summary>The body as a span.</summary>
    /// <param name="body">The whole body, valid during the handler's call; empty when the answer is no.</param>
    /// <returns>False when the body lies in more than one segment of the receive buffer, which is rare: then use <see cref="Body"/> or copy.</returns>
    public bool TryGetSpan(out ReadOnlySpan<byte> body)
    {
        if (_contiguous.Length - _bodyStart < _bodyBytes)
        {
            body = default;
            return false;
        }

        body = _contiguous.Slice(_bodyStart, _bodyBytes);
        return true;
    }

    /// <summary>Copies the body to the front of <paramref name="destination"/>.</summary>
    /// <exception cref="ArgumentException"><paramref name="destination"/> is shorter than <see cref="BodyBytes"/>; nothing is copied.</exception>
    public void CopyTo(Span<byte> destination)
    {
        if (TryGetSpan(out ReadOnlySpan<byte> body))
        {
            body.CopyTo(destination);
        }
        else
        {
            Body.CopyTo(destination);
        }
    }

    /// <summary>Copies the body into an array of its own.</summary>
    public byte[] ToArray()
    {
        if (_bodyBytes == 0)
        {
            return [];
        }

        byte[] copy = GC.AllocateUninitializedArray<byte>(_bodyBytes);
        CopyTo(copy);
        return copy;
    }

    /// <summary>The frame as it came, header and all.</summary>
    /// <returns>False when it would be written otherwise in <paramref name="format"/>, or must not be sent in it.</returns>
    internal bool TryGetEncoded(FrameFormat format, out ReadOnlySpan<byte> encoded)
    {
        encoded = _contiguous;
        return ReferenceEquals(_format, format) && _bodyBytes <= format.MaxBodyBytes;
    }

    /// <summary>A frame around a body that stands alone, for code that is handed frames without a connection.</summary>
    internal static Frame FromBody(ref readonly ReadOnlySequence<byte> body, FrameHeader header = default)
    {
        ReadOnlySpan<byte> contiguous = body.IsSingleSegment ? body.FirstSpan : default;
        return new Frame(header, contiguous, in body, bodyOffset: 0, checked((int)body.Length));
    }
}
