namespace PlayChat.Core.WebSockets;

/// <summary>Writes the header of a frame that a server sends: always a whole message, never masked (RFC 6455, section 5.2).</summary>
internal static class WebSocketHeader
{
    /// <summary>The longest header: two bytes and a length of eight.</summary>
    internal const int MaxBytes = 10;

    /// <summary>The longest payload of a close, ping or pong frame.</summary>
    internal const int MaxControlBytes = 125;

    private const byte Final = 0x80;
    private const byte LengthIn2Bytes = 126;
    private const byte LengthIn8Bytes = 127;

    /// <summary>Writes the header to a destination of at least <see cref="MaxBytes"/>.</summary>
    /// <returns>How many bytes were written.</returns>
    internal static int Write(Span<byte> destination, WebSocketOpcode opcode, long payloadBytes)
    {
        destination[0] = (byte)(Final | (byte)opcode);
        if (payloadBytes < LengthIn2Bytes)
        {
            destination[1] = (byte)payloadBytes;
            return 2;
        }

        if (payloadBytes <= ushort.MaxValue)
        {
            destination[1] = LengthIn2Bytes;
            BinaryPrimitives.WriteUInt16BigEndian(destination[2..], (ushort)payloadBytes);
            return 4;
        }

        destination[1] = LengthIn8Bytes;
        BinaryPrimitives.WriteInt64BigEndian(destination[2..], payloadBytes);
        return MaxBytes;
    }

    /// <summary>Makes a whole close, ping or pong frame with a payload of at most <see cref="MaxControlBytes"/>.</summary>
    internal static byte[] CreateControlFrame(WebSocketOpcode opcode, ReadOnlySpan<byte> payload)
    {
        byte[] frame = new byte[2 + payload.Length];
        frame[0] = (byte)(Final | (byte)opcode);
        frame[1] = (byte)payload.Length;
        payload.CopyTo(frame.AsSpan(2));
        return frame;
    }
}
