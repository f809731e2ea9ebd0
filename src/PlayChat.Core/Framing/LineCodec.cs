namespace PlayChat.Core.Framing;

/// <summary>A line feed ends a frame, and one carriage return before it is cut. proto/PROTOCOL.md, "Framing".</summary>
/// <remarks>A partial line is searched again from its start when more has arrived: stateless, and bounded by the limit.</remarks>
internal readonly struct LineCodec : IFrameCodec
{
    private const byte LineFeed = (byte)'\n';
    private const byte CarriageReturn = (byte)'\r';

    private readonly int _maxBodyBytes;

    public LineCodec(int maxFrameBytes) => _maxBodyBytes = maxFrameBytes;

    public override string ToString() => "line";

    public int MaxFrameBytes => _maxBodyBytes;

    public int MaxBodyBytes => _maxBodyBytes;

    public int HeaderBytes => 0;

    public int TrailerBytes => 1;

    /// <summary>The longest line that can be good: the body, a carriage return, the line feed.</summary>
    private int LongestLineBytes => _maxBodyBytes + 2;

    [MethodImpl(MethodImplOptions.AggressiveInlining)] // into the loop: FramingBenchmarks
    public DecodeStatus TryDecode(ReadOnlySpan<byte> input, out FrameHeader header, out FrameBounds bounds)
    {
        header = default;
        ReadOnlySpan<byte> searched = input.Length > LongestLineBytes ? input[..LongestLineBytes] : input;
        int index = searched.IndexOf(LineFeed);
        return index >= 0
            ? JudgeLine(index, index > 0 ? searched[index - 1] : default, out bounds)
            : JudgeUnended(searched.Length, searched.IsEmpty ? default : searched[^1], out bounds);
    }

    public DecodeStatus TryDecode(in ReadOnlySequence<byte> input, out FrameHeader header, out FrameBounds bounds)
    {
        header = default;
        int passedBytes = 0;
        byte last = default;
        foreach (ReadOnlyMemory<byte> segment in input)
        {
            ReadOnlySpan<byte> searched = segment.Span;
            int allowed = LongestLineBytes - passedBytes;
            if (searched.Length > allowed)
            {
                searched = searched[..allowed];
            }

            int index = searched.IndexOf(LineFeed);
            if (index >= 0)
            {
                return JudgeLine(passedBytes + index, index > 0 ? searched[index - 1] : last, out bounds);
            }

            last = searched.IsEmpty ? last : searched[^1];
            passedBytes += searched.Length;
        }

        return JudgeUnended(passedBytes, last, out bounds);
    }

    public bool CanCarry(ReadOnlySpan<byte> body) => !body.Contains(LineFeed);

    public void WriteHeader(Span<byte> destination, FrameHeader header, int bodyBytes)
    {
    }

    public void WriteTrailer(Span<byte> destination)
    {
        if (destination.IsEmpty)
        {
            throw new ArgumentException("The end of a line takes 1 byte, but the destination has none.", nameof(destination));
        }

        destination[0] = LineFeed;
    }

    /// <summary>The line feed is at <paramref name="index"/>, behind <paramref name="previous"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private DecodeStatus JudgeLine(int index, byte previous, out FrameBounds bounds)
    {
        int bodyBytes = previous == CarriageReturn ? index - 1 : index;
        bounds = new FrameBounds(0, bodyBytes, index + 1);
        return bodyBytes <= _maxBodyBytes ? DecodeStatus.Frame : DecodeStatus.TooLarge;
    }

    /// <summary>No line feed among the first <paramref name="lineBytes"/>. One byte over the limit is still good if it is a carriage
    /// return.</summary>
    private DecodeStatus JudgeUnended(int lineBytes, byte last, out FrameBounds bounds)
    {
        bounds = default;
        int leastBodyBytes = last == CarriageReturn ? lineBytes - 1 : lineBytes;
        return leastBodyBytes <= _maxBodyBytes ? DecodeStatus.NeedMoreData : DecodeStatus.TooLarge;
    }
}
