namespace PlayChat.Core.Connections;

/// <summary>
/// What surrounds the body of a frame that is sent. Keeps the format's fixed lengths, which would cost a virtual call each.
/// </summary>
internal readonly struct FrameLayout(FrameFormat format)
{
    private readonly FrameFormat _format = format;
    private readonly int _headerBytes = format.HeaderBytes;
    private readonly int _trailerBytes = format.TrailerBytes;
    private readonly int _maxBodyBytes = format.MaxBodyBytes;

    /// <summary>How long a frame with such a body is.</summary>
    internal int BytesOf(int bodyBytes) => _headerBytes + bodyBytes + _trailerBytes;

    /// <summary>Where a received frame lies as it came, header and all, for <see cref="Frame.Encoded"/>.</summary>
    /// <returns><see langword="false"/> when it would be written otherwise, or must not be sent in this format.</returns>
    internal bool TryGetEncoded(in Frame frame, out int start, out int bytes)
    {
        start = frame.BodyStart - _headerBytes;
        bytes = _headerBytes + frame.BodyBytes;
        return frame.IsEncodedAs(_format) && frame.BodyBytes <= _maxBodyBytes;
    }

    /// <summary>Writes the header and the trailer, which may be an application's own code.</summary>
    /// <returns>The place for the body.</returns>
    internal Span<byte> Write(Span<byte> frame, FrameHeader header, int bodyBytes)
    {
        if (_headerBytes > 0)
        {
            _format.WriteHeader(frame, header, bodyBytes);
        }

        if (_trailerBytes > 0)
        {
            _format.WriteTrailer(frame.Slice(_headerBytes + bodyBytes, _trailerBytes));
        }

        return frame.Slice(_headerBytes, bodyBytes);
    }

    /// <summary>Makes a frame in memory of its own.</summary>
    /// <returns>Memory that holds the frame alone; the caller's to release.</returns>
    internal Segment Rent(SegmentPool pool, FrameHeader header, int bodyBytes, out Span<byte> body)
    {
        RequireCarries(bodyBytes);
        int bytes = BytesOf(bodyBytes);
        Segment segment = pool.RentSegment(bytes);
        try
        {
            body = Write(segment.Array.AsSpan(0, bytes), header, bodyBytes);
        }
        catch
        {
            segment.Release(); // an application's own codec threw
            throw;
        }

        segment.Written = bytes;
        return segment;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void RequireCarries(int bodyBytes)
    {
        if ((uint)bodyBytes > (uint)_maxBodyBytes)
        {
            ThrowTooLarge(bodyBytes);
        }
    }

    /// <summary>Only a format with a delimiter can be unable to carry a body of the right length, so the others are not asked.</summary>
    internal void RequireCarries(ReadOnlySpan<byte> body)
    {
        if (_trailerBytes > 0 && !_format.CanCarry(body))
        {
            throw new ArgumentException($"The body contains what ends a frame in the format '{_format.Name}'.", nameof(body));
        }
    }

    [DoesNotReturn]
    private void ThrowTooLarge(int bodyBytes) => throw new ArgumentException(
        $"A body of {bodyBytes} bytes does not fit this format: at most {_maxBodyBytes}.", nameof(bodyBytes));
}
