namespace PlayChat.Core.Framing;

/// <summary>A wire format: how a byte stream is cut into frames, and how a body is wrapped to be sent.</summary>
/// <remarks>
/// Wire forms, byte by byte: proto/PROTOCOL.md, "Framing". Immutable and thread-safe: one value serves every connection.
/// A peer that breaks a limit or a rule is found out from the first bytes that show it, before the frame's body has arrived.
/// </remarks>
public abstract class FrameFormat
{
    /// <summary>The limit of a format that was made without one, in bytes: 64 KiB.</summary>
    internal const int DefaultMaxFrameBytes = 64 * 1024;

    private protected FrameFormat()
    {
    }

    /// <summary>The name of its codec: "packet", "length4", "length2", "length4-le", "length2-le", "sender", "line" or "raw".</summary>
    internal abstract string Name { get; }

    /// <summary>Whether it is <see cref="Packet"/>, which has the heartbeat packet.</summary>
    internal abstract bool HasHeartbeat { get; }

    /// <summary>The limit the format was made with, in bytes. What it counts is said at each factory.</summary>
    internal abstract int MaxFrameBytes { get; }

    /// <summary>The largest body that can be sent, in bytes.</summary>
    public abstract int MaxBodyBytes { get; }

    /// <summary>Bytes in front of the body of every frame that is sent; may be 0.</summary>
    internal abstract int HeaderBytes { get; }

    /// <summary>Bytes behind the body of every frame that is sent; may be 0.</summary>
    internal abstract int TrailerBytes { get; }

    /// <summary>The default: length (4), packet id (2), request id (2), payload; numbers in network order. The body is the
    /// payload.</summary>
    /// <param name="maxFrameBytes">Largest value of the length field, which counts both ids and the payload: 4 bytes to 256 MiB, 64 KiB by
    /// default.</param>
    /// <param name="maxSendBytes">The same for what is sent, where that differs: a server may answer more than it takes. By default as
    /// <paramref name="maxFrameBytes"/>.</param>
    /// <exception cref="ArgumentOutOfRangeException">A limit is out of its range.</exception>
    public static FrameFormat Packet(int maxFrameBytes = DefaultMaxFrameBytes, int? maxSendBytes = null) =>
        Create(new PacketCodec(
            FrameLimits.CheckMaxFrameBytes(maxFrameBytes, PacketCodec.MinLength, FrameLimits.LargestFrameBytes),
            FrameLimits.CheckMaxFrameBytes(maxSendBytes ?? maxFrameBytes, PacketCodec.MinLength, FrameLimits.LargestFrameBytes)));

    /// <summary>A body length in 2 or 4 bytes, then the body.</summary>
    /// <param name="maxFrameBytes">Largest body: 1 byte to 256 MiB, with a 2-byte prefix to 65,535 bytes. By default 64 KiB, with a 2-byte
    /// prefix 65,535 bytes.</param>
    /// <param name="prefixBytes">Size of the length field: 2 or 4, 4 by default. Unsigned.</param>
    /// <param name="littleEndian">Least significant byte first; by default network order.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="prefixBytes"/> is neither 2 nor 4, or <paramref name="maxFrameBytes"/>
    /// is out of its range.</exception>
    public static FrameFormat LengthPrefixed(int? maxFrameBytes = null, int prefixBytes = 4, bool littleEndian = false)
    {
        int largest = FrameLimits.LargestForPrefix(prefixBytes);
        int limit = FrameLimits.CheckMaxFrameBytes(maxFrameBytes ?? Math.Min(DefaultMaxFrameBytes, largest), smallest: 1, largest);
        return Create(new LengthPrefixCodec(limit, prefixBytes, littleEndian));
    }

    /// <summary>Payload length (2), sender (2), payload; numbers in network order. The length counts the payload alone, which is the
    /// body.</summary>
    /// <param name="maxFrameBytes">Largest payload: 1 to 65,535 bytes, 65,535 by default.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="maxFrameBytes"/> is out of its range.</exception>
    public static FrameFormat SenderPrefixed(int maxFrameBytes = ushort.MaxValue) =>
        Create(new SenderPrefixCodec(FrameLimits.CheckMaxFrameBytes(maxFrameBytes, smallest: 1, ushort.MaxValue)));

    /// <summary>Lines: a line feed ends a frame; one carriage return before it is cut. Sent with a line feed alone.</summary>
    /// <remarks>
    /// A body that holds a line feed is refused when it is sent, because it would arrive as two. A carriage return at the very end of a
    /// body does not survive: the receiver takes it for part of the line's end.
    /// </remarks>
    /// <param name="maxFrameBytes">Largest line without its end: 1 byte to 256 MiB, 64 KiB by default.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="maxFrameBytes"/> is out of its range.</exception>
    public static FrameFormat Line(int maxFrameBytes = DefaultMaxFrameBytes) =>
        Create(new LineCodec(FrameLimits.CheckMaxFrameBytes(maxFrameBytes, smallest: 1, FrameLimits.LargestFrameBytes)));

    /// <summary>No frames on the wire: handlers get the received bytes in pieces, which end at the limit or at the end of the receive
    /// buffer.</summary>
    /// <param name="maxFrameBytes">Largest piece that is received or sent as one: 1 byte to 256 MiB, 64 KiB by default. More bytes than
    /// that become several frames, never an error.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="maxFrameBytes"/> is out of its range.</exception>
    public static FrameFormat Raw(int maxFrameBytes = DefaultMaxFrameBytes) =>
        Create(new RawCodec(FrameLimits.CheckMaxFrameBytes(maxFrameBytes, smallest: 1, FrameLimits.LargestFrameBytes)));

    /// <summary>A format of your own. The runtime compiles a decoding loop for <typeparamref name="TCodec"/>.</summary>
    /// <exception cref="ArgumentException">A property of <paramref name="codec"/> is outside the range that <see cref="IFrameCodec"/>
    /// gives.</exception>
    public static FrameFormat Create<TCodec>(TCodec codec)
        where TCodec : struct, IFrameCodec
    {
        FrameLimits.CheckCodec(codec);
        return new FrameFormat<TCodec>(codec);
    }

    /// <summary>Returns the size on the wire of a frame whose body has <paramref name="bodyBytes"/> bytes.</summary>
    public int GetEncodedBytes(int bodyBytes) => HeaderBytes + bodyBytes + TrailerBytes;

    /// <summary>
    /// Whether a body can be sent: no longer than <see cref="MaxBodyBytes"/>, and nothing in it that would end the frame early
    /// (a line feed in <see cref="Line"/>). <see cref="WriteHeader"/> does not see the body, so a sender asks here first.
    /// </summary>
    internal abstract bool CanCarry(ReadOnlySpan<byte> body);

    /// <summary>Writes the <see cref="HeaderBytes"/> that go in front of a body. The body itself is the caller's to check: <see
    /// cref="CanCarry"/>.</summary>
    /// <param name="destination">Where to; filled from its start.</param>
    /// <param name="header">Fields that the format does not have are left out.</param>
    /// <param name="bodyBytes">Length of the body that follows, 0 to <see cref="MaxBodyBytes"/>.</param>
    /// <exception cref="ArgumentException"><paramref name="destination"/> is too small, or <paramref name="bodyBytes"/> is out of its
    /// range.</exception>
    internal abstract void WriteHeader(Span<byte> destination, FrameHeader header, int bodyBytes);

    /// <summary>Writes the <see cref="TrailerBytes"/> that go behind a body.</summary>
    /// <exception cref="ArgumentException"><paramref name="destination"/> is too small.</exception>
    internal abstract void WriteTrailer(Span<byte> destination);

    /// <summary>Writes a whole frame, with every check.</summary>
    /// <returns>How many bytes of <paramref name="destination"/> were filled: <see cref="GetEncodedBytes"/> of the body.</returns>
    /// <exception cref="ArgumentException">The body is longer than <see cref="MaxBodyBytes"/>, something in it would end the frame early
    /// (a line feed in <see cref="Line"/>), or <paramref name="destination"/> is too small; nothing is written.</exception>
    public int Encode(ReadOnlySpan<byte> body, FrameHeader header, Span<byte> destination)
    {
        if (!CanCarry(body))
        {
            throw FrameLimits.BodyRefused(this, body.Length, nameof(body));
        }

        int encodedBytes = GetEncodedBytes(body.Length);
        if (destination.Length < encodedBytes)
        {
            throw new ArgumentException(
                $"The frame takes {encodedBytes} bytes, but the destination has {destination.Length}.", nameof(destination));
        }

        WriteHeader(destination, header, body.Length);
        body.CopyTo(destination[HeaderBytes..]);
        WriteTrailer(destination[(HeaderBytes + body.Length)..]);
        return encodedBytes;
    }

    /// <summary>Hands every whole frame from <paramref name="offset"/> on to <paramref name="sink"/>, until one is not whole, is bad, or
    /// the sink ends it.</summary>
    /// <param name="buffer">What has been received. It must not move or be advanced before the call has returned.</param>
    /// <param name="offset">Where to begin, 0 to the buffer's length: 0, or <see cref="FrameBatch.ConsumedBytes"/> of the batch that paused
    /// in the same buffer.</param>
    /// <param name="sink">Takes the frames.</param>
    internal abstract FrameBatch DecodeBatch(in ReadOnlySequence<byte> buffer, long offset, IFrameSink sink);
}
