namespace PlayChat.Core.Framing;

/// <summary>One received frame: a view into the receive buffer that owns nothing.</summary>
/// <remarks>
/// Valid during the handler's call. The sequence that <see cref="Body"/> returns may be kept longer, until the handler's task has
/// completed: the bytes stay where they are until then. To keep them longer, copy them (<see cref="ToArray"/>, <see cref="CopyTo"/>).
/// </remarks>
public readonly ref struct Frame
{
    private readonly ref readonly FrameData _data;

    /// <param name="data">Stays where it is as long as the frame is looked at.</param>
    internal Frame(ref readonly FrameData data)
    {
        _data = ref data;
    }

    /// <summary>The header's fields: packet id, request id and sender's id. A field that the format does not have is 0.</summary>
    public FrameHeader Header => _data.Header;

    /// <summary>Which message the body is; 0 where the format has no such field.</summary>
    internal ushort PacketId => _data.Header.PacketId;

    /// <summary>The number the answer carries, too; 0 for a one-way message or where the format has no such field.</summary>
    internal ushort RequestId => _data.Header.RequestId;

    /// <summary>Length of the body in bytes, without header and trailer; 0 for an empty body.</summary>
    public int BodyBytes => _data.BodyBytes;

    /// <summary>The body as a sequence. It is sliced at each call, so take it once.</summary>
    public ReadOnlySequence<byte> Body => BodyBytes == 0 ? ReadOnlySequence<byte>.Empty : _data.Buffer.Slice(_data.BodyOffset, BodyBytes);

    /// <summary>The body as a span.</summary>
    /// <param name="body">The whole body, valid during the handler's call; empty when the answer is no.</param>
    /// <returns>False when the body lies in more than one segment of the receive buffer, which is rare: then use <see cref="Body"/> or
    /// copy.</returns>
    public bool TryGetSpan(out ReadOnlySpan<byte> body)
    {
        if (_data.Array is { } array)
        {
            body = array.AsSpan(_data.BodyStart, _data.BodyBytes);
            return true;
        }

        body = default;
        return _data.BodyBytes == 0;
    }

    /// <summary>Copies the body to the front of <paramref name="destination"/>.</summary>
    /// <exception cref="ArgumentException"><paramref name="destination"/> is shorter than <see cref="BodyBytes"/>; nothing is
    /// copied.</exception>
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
        if (BodyBytes == 0)
        {
            return [];
        }

        byte[] copy = GC.AllocateUninitializedArray<byte>(BodyBytes);
        CopyTo(copy);
        return copy;
    }

    /// <summary>Copies the frame's data, for a handler that waits: the bytes stay where they are until its task has completed, but the
    /// batch ends.</summary>
    internal FrameData Copy() => _data with { Sink = null };

    /// <summary>The receiver of this batch's frames.</summary>
    internal IFrameSink? Sink => _data.Sink;

    /// <summary>Where the body starts in the receive buffer, if it lies in one piece.</summary>
    internal int BodyStart => _data.BodyStart;

    /// <summary>Whether the bytes before the body and the body itself are what the format would write.</summary>
    internal bool IsEncodedAs(FrameFormat format) => ReferenceEquals(_data.Verbatim, format);

    /// <summary>Bytes of the receive buffer.</summary>
    internal ReadOnlySpan<byte> Encoded(int start, int bytes) => _data.Array.AsSpan(start, bytes);
}
