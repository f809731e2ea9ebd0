namespace PlayChat.Core.Framing;

/// <summary>A body length in 2 or 4 bytes of either order, then the body. proto/PROTOCOL.md, "Framing".</summary>
internal readonly struct LengthPrefixCodec : IFrameCodec
{
    private readonly int _maxBodyBytes;
    private readonly int _prefixBytes;
    private readonly bool _littleEndian;

    public LengthPrefixCodec(int maxFrameBytes, int prefixBytes, bool littleEndian)
    {
        _maxBodyBytes = maxFrameBytes;
        _prefixBytes = prefixBytes;
        _littleEndian = littleEndian;
    }

    public override string ToString() => (_prefixBytes, _littleEndian) switch
    {
        (4, false) => "length4",
        (4, true) => "length4-le",
        (_, false) => "length2",
        (_, true) => "length2-le",
    };

    public int MaxFrameBytes => _maxBodyBytes;

    public int MaxBodyBytes => _maxBodyBytes;

    public int HeaderBytes => _prefixBytes;

    public int TrailerBytes => 0;

    [MethodImpl(MethodImplOptions.AggressiveInlining)] // into the loop: FramingBenchmarks
    public DecodeStatus TryDecode(ReadOnlySpan<byte> input, out FrameHeader header, out FrameBounds bounds) =>
        Judge(input, input.Length, out header, out bounds);

    public DecodeStatus TryDecode(in ReadOnlySequence<byte> input, out FrameHeader header, out FrameBounds bounds) =>
        Judge(SplitHeader.Gather(in input, stackalloc byte[sizeof(int)]), input.Length, out header, out bounds);

    public bool CanCarry(ReadOnlySpan<byte> body) => true;

    public void WriteHeader(Span<byte> destination, FrameHeader header, int bodyBytes)
    {
        if (_prefixBytes == sizeof(int))
        {
            BinaryPrimitives.WriteInt32LittleEndian(destination, _littleEndian ? bodyBytes : BinaryPrimitives.ReverseEndianness(bodyBytes));
        }
        else
        {
            ushort length = (ushort)bodyBytes;
            BinaryPrimitives.WriteUInt16LittleEndian(destination, _littleEndian ? length : BinaryPrimitives.ReverseEndianness(length));
        }
    }

    public void WriteTrailer(Span<byte> destination)
    {
    }

    // The branches on the format go the same way for every frame of a connection, so they cost next to nothing.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private DecodeStatus Judge(ReadOnlySpan<byte> start, long availableBytes, out FrameHeader header, out FrameBounds bounds)
    {
        header = default;
        if (start.Length < _prefixBytes)
        {
            bounds = new FrameBounds(0, 0, _prefixBytes);
            return DecodeStatus.NeedMoreData;
        }

        uint bodyBytes;
        if (_prefixBytes == sizeof(int))
        {
            uint length = BinaryPrimitives.ReadUInt32LittleEndian(start);
            bodyBytes = _littleEndian ? length : BinaryPrimitives.ReverseEndianness(length);
        }
        else
        {
            ushort length = BinaryPrimitives.ReadUInt16LittleEndian(start);
            bodyBytes = _littleEndian ? length : BinaryPrimitives.ReverseEndianness(length);
        }

        // Judged before the body arrives, or a hostile header would make us buffer for it. Unsigned: a negative length is huge.
        if (bodyBytes > (uint)_maxBodyBytes)
        {
            bounds = default;
            return DecodeStatus.TooLarge;
        }

        bounds = new FrameBounds(_prefixBytes, (int)bodyBytes, _prefixBytes + (int)bodyBytes);
        return availableBytes >= bounds.FrameBytes ? DecodeStatus.Frame : DecodeStatus.NeedMoreData;
    }
}
