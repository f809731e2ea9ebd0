namespace PlayChat.Core.Rooms;

/// <summary>Encodes one frame in place into the free part of a segment.</summary>
internal static class RoomFrames
{
    /// <summary>Returns the encoded length of a frame, in bytes.</summary>
    /// <exception cref="ArgumentException">The body is larger than the format can carry.</exception>
    internal static int GetEncodedBytes(FrameFormat format, int bodyBytes) =>
        (uint)bodyBytes <= (uint)format.MaxBodyBytes
            ? format.GetEncodedBytes(bodyBytes)
            : throw new ArgumentException(
                $"A body of {bodyBytes} bytes does not fit this format: at most {format.MaxBodyBytes}.", nameof(bodyBytes));

    /// <summary>Writes header and trailer of a frame.</summary>
    /// <returns>The memory for the body.</returns>
    internal static Span<byte> Begin(FrameFormat format, Segment segment, FrameHeader header, int bodyBytes)
    {
        Span<byte> frame = segment.Free;
        format.WriteHeader(frame, header, bodyBytes);
        format.WriteTrailer(frame[(format.HeaderBytes + bodyBytes)..]);
        return frame.Slice(format.HeaderBytes, bodyBytes);
    }

    /// <summary>Checks a body that has been written.</summary>
    /// <returns>The encoded length of the frame, in bytes.</returns>
    /// <exception cref="ArgumentException">The format ends frames with a delimiter, and the body contains it.</exception>
    internal static int End(FrameFormat format, ReadOnlySpan<byte> body) =>
        format.TrailerBytes == 0 || format.CanCarry(body) // only a format with a delimiter can be unable to carry a body of this length
            ? format.GetEncodedBytes(body.Length)
            : throw new ArgumentException(
                $"The body contains what ends a frame in the format '{format.Name}'.", nameof(body));
}
