namespace PlayChat.Core.Framing;

/// <summary>length (4) of what follows it, packet id (2), request id (2), payload; network order. proto/PROTOCOL.md, "Framing".</summary>
internal readonly struct PacketCodec : IFrameCodec
{
    /// <summary>Both ids, which the length counts.</summary>
    public const int MinLength = 4;

    /// <summary>The whole header: the length and both ids.</summary>
    public const int PacketHeaderBytes = LengthBytes + MinLength;

    private const int LengthBytes = 4;

    private readonly int _maxBodyBytes;
    private readonly int _maxSendBodyBytes;

    public PacketCodec(int maxFrameBytes, int maxSendBytes)
    {
        _maxBodyBytes = maxFrameBytes - MinLength;
        _maxSendBodyBytes = maxSendBytes - MinLength;
    }

    public override string ToString() => "packet";

    public int MaxFrameBytes => _maxBodyBytes + MinLength;

    public int MaxBodyBytes => _maxSendBodyBytes;

    public int HeaderBytes => PacketHeaderBytes;

    public int TrailerBytes => 0;

    [MethodImpl(MethodImplOptions.AggressiveInlining)] // into the loop: FramingBenchmarks
    public DecodeStatus TryDecode(ReadOnlySpan<byte> input, out FrameHeader header, out FrameBounds bounds) =>
        Judge(input, input.Length, out header, out bounds);

    public DecodeStatus TryDecode(in ReadOnlySequence<byte> input, out FrameHeader header, out FrameBounds bounds) =>
        Judge(SplitHeader.Gather(in input, stackalloc byte[PacketHeaderBytes]), input.Length, out header, out bounds);

    public bool CanCarry(ReadOnlySpan<byte> body) => true;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static FrameHeader ReadIds(ReadOnlySpan<byte> packet) =>
        new(BinaryPrimitives.ReadUInt16BigEndian(packet[LengthBytes..]), BinaryPrimitives.ReadUInt16BigEndian(packet[6..]));

    public void WriteHeader(Span<byte> destination, FrameHeader header, int bodyBytes)
    {
        // The last field first: a destination that is too small is found before anything is written.
        BinaryPrimitives.WriteUInt16BigEndian(destination[6..], header.RequestId);
        BinaryPrimitives.WriteUInt16BigEndian(destination[4..], header.PacketId);
        BinaryPrimitives.WriteInt32BigEndian(destination, MinLength + bodyBytes);
    }

    public void WriteTrailer(Span<byte> destination)
    {
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private DecodeStatus Judge(ReadOnlySpan<byte> start, long availableBytes, out FrameHeader header, out FrameBounds bounds)
    {
        if (start.Length < PacketHeaderBytes)
        {
            header = default;
            return JudgePartialHeader(start, out bounds);
        }

        // One comparison for both ends: a length below the minimum wraps around, and a negative one is huge as well.
        uint bodyBytes = BinaryPrimitives.ReadUInt32BigEndian(start) - MinLength;
        if (bodyBytes > (uint)_maxBodyBytes)
        {
            header = default;
            bounds = default;
            return Refusal(bodyBytes);
        }

        header = ReadIds(start);
        bounds = new FrameBounds(PacketHeaderBytes, (int)bodyBytes, PacketHeaderBytes + (int)bodyBytes);
        return availableBytes >= bounds.FrameBytes ? DecodeStatus.Frame : DecodeStatus.NeedMoreData;
    }

    private DecodeStatus JudgePartialHeader(ReadOnlySpan<byte> start, out FrameBounds bounds)
    {
        bounds = new FrameBounds(0, 0, PacketHeaderBytes);
        if (start.Length < LengthBytes)
        {
            return DecodeStatus.NeedMoreData;
        }

        uint bodyBytes = BinaryPrimitives.ReadUInt32BigEndian(start) - MinLength;
        if (bodyBytes > (uint)_maxBodyBytes)
        {
            return Refusal(bodyBytes);
        }

        bounds = new FrameBounds(PacketHeaderBytes, (int)bodyBytes, PacketHeaderBytes + (int)bodyBytes);
        return DecodeStatus.NeedMoreData;
    }

    private static DecodeStatus Refusal(uint bodyBytes) =>
        unchecked(bodyBytes + MinLength) < MinLength ? DecodeStatus.Malformed : DecodeStatus.TooLarge;
}
