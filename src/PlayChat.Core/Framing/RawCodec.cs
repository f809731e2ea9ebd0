namespace PlayChat.Core.Framing;

/// <summary>No frames on the wire: what was received together is one, up to the limit. proto/PROTOCOL.md, "Framing".</summary>
internal readonly struct RawCodec : IFrameCodec
{
    private readonly int _maxBodyBytes;

    public RawCodec(int maxFrameBytes) => _maxBodyBytes = maxFrameBytes;

    public override string ToString() => "raw";

    public int MaxFrameBytes => _maxBodyBytes;

    public int MaxBodyBytes => _maxBodyBytes;

    public int HeaderBytes => 0;

    public int TrailerBytes => 0;

    [MethodImpl(MethodImplOptions.AggressiveInlining)] // into the loop: FramingBenchmarks
    public DecodeStatus TryDecode(ReadOnlySpan<byte> input, out FrameHeader header, out FrameBounds bounds) =>
        Judge(input.Length, out header, out bounds);

    public DecodeStatus TryDecode(in ReadOnlySequence<byte> input, out FrameHeader header, out FrameBounds bounds) =>
        Judge(input.Length, out header, out bounds);

    public bool CanCarry(ReadOnlySpan<byte> body) => true;

    public void WriteHeader(Span<byte> destination, FrameHeader header, int bodyBytes)
    {
    }

    public void WriteTrailer(Span<byte> destination)
    {
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private DecodeStatus Judge(long availableBytes, out FrameHeader header, out FrameBounds bounds)
    {
        header = default;
        int bytes = (int)Math.Min(availableBytes, _maxBodyBytes);
        bounds = new FrameBounds(0, bytes, bytes);
        return bytes > 0 ? DecodeStatus.Frame : DecodeStatus.NeedMoreData;
    }
}
