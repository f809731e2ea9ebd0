namespace PlayChat.Core.Framing;

/// <summary>length (2) of the payload, sender (2), payload; network order. proto/PROTOCOL.md, "Framing".</summary>
internal readonly struct SenderPrefixCodec : IFrameCodec
{
    private const int LengthBytes = 2;
    private const int SenderHeaderBytes = LengthBytes + 2;

    private readonly int _maxBodyBytes;

    public SenderPrefixCodec(int maxFrameBytes) => _maxBodyBytes = maxFrameBytes;

    public override string ToString() => "sender";

    public int MaxFrameBytes => _maxBodyBytes;

    public int MaxBodyBytes => _maxBodyBytes;

    public int HeaderBytes => SenderHeaderBytes;

    public int TrailerBytes => 0;

    [MethodImpl(MethodImplOptions.AggressiveInlining)] // into the loop: FramingBenchmarks
    public DecodeStatus TryDecode(ReadOnlySpan<byte> input, out FrameHeader header, out FrameBounds bounds) =>
        Judge(input, input.Length, out header, out bounds);

    public DecodeStatus TryDecode(in ReadOnlySequence<byte> input, out FrameHeader header, out FrameBounds bounds) =>
        Judge(SplitHeader.Gather(in input, stackalloc byte[SenderHeaderBytes]), input.Length, out header, out bounds);

    public bool CanCarry(ReadOnlySpan<byte> body) => true;

    public void WriteHeader(Span<byte> destination, FrameHeader header, int bodyBytes)
    {
        // The last field first: a destination that is too small is found before anything is written.
        BinaryPrimitives.WriteUInt16BigEndian(destination[LengthBytes..], header.SenderId);
        BinaryPrimitives.WriteUInt16BigEndian(destination, (ushort)bodyBytes);
    }

    public void WriteTrailer(Span<byte> destination)
    {
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private DecodeStatus Judge(ReadOnlySpan<byte> start, long availableBytes, out FrameHeader header, out FrameBounds bounds)
    {
        header = default;
        if (start.Length < LengthBytes)
        {
            bounds = new FrameBounds(0, 0, SenderHeaderBytes);
            return DecodeStatus.NeedMoreData;
        }

        int bodyBytes = BinaryPrimitives.ReadUInt16BigEndian(start);
        if (bodyBytes > _maxBodyBytes)
        {
            bounds = default;
            return DecodeStatus.TooLarge;
        }

        bounds = new FrameBounds(SenderHeaderBytes, bodyBytes, SenderHeaderBytes + bodyBytes);
        if (availableBytes < bounds.FrameBytes)
        {
            return DecodeStatus.NeedMoreData;
        }

        header = new FrameHeader(SenderId: BinaryPrimitives.ReadUInt16BigEndian(start[LengthBytes..]));
        return DecodeStatus.Frame;
    }
}
