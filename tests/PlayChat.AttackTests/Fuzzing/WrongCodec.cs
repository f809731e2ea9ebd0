using System.Buffers;
using PlayChat.Core.Framing;

namespace PlayChat.AttackTests.Fuzzing;

/// <summary>A length in one byte, then the body; with a mistake for the fuzzer to find: a frame across several segments is never
/// whole.</summary>
internal readonly struct WrongCodec : IFrameCodec
{
    public string Name => "wrong";

    public int MaxFrameBytes => byte.MaxValue;

    public int MaxBodyBytes => byte.MaxValue;

    public int HeaderBytes => 1;

    public int TrailerBytes => 0;

    public DecodeStatus TryDecode(ReadOnlySpan<byte> input, out FrameHeader header, out FrameBounds bounds)
    {
        header = default;
        bounds = new FrameBounds(1, input[0], 1 + input[0]);
        return input.Length >= bounds.FrameBytes ? DecodeStatus.Frame : DecodeStatus.NeedMoreData;
    }

    public DecodeStatus TryDecode(in ReadOnlySequence<byte> input, out FrameHeader header, out FrameBounds bounds) =>
        TryDecode(input.FirstSpan, out header, out bounds);

    public bool CanCarry(ReadOnlySpan<byte> body) => true;

    public void WriteHeader(Span<byte> destination, FrameHeader header, int bodyBytes) => destination[0] = (byte)bodyBytes;

    public void WriteTrailer(Span<byte> destination)
    {
    }
}
