using System.Buffers;
using PlayChat.Core.Framing;

namespace PlayChat.Core.Tests.Framing;

/// <summary>A format of one's own, right and wrong.</summary>
public sealed class CustomCodecTests
{
    [Fact]
    public void A_codec_of_ones_own_is_a_format_like_any_other()
    {
        FrameFormat format = FrameFormat.Create(new FixedCodec());
        byte[] bytes = [.. WireFormats.Encode(format, [1, 2, 3]), .. WireFormats.Encode(format, [4, 5, 6])];
        for (int cut = 0; cut <= bytes.Length; cut++)
        {
            var sink = new RecordingSink();
            ReadOnlySequence<byte> buffer = Segments.Cut(bytes, cut);

            format.DecodeBatch(in buffer, 0, sink);

            Assert.Equal([ReceivedFrame.Of(default, [1, 2, 3]), ReceivedFrame.Of(default, [4, 5, 6])], sink.Frames);
        }
    }

    [Theory]
    [InlineData(0, 0, 0)]
    [InlineData(0, 0, -1)]
    [InlineData(0, 3, 9)]
    [InlineData(0, 9, 3)]
    [InlineData(-1, 3, 3)]
    [InlineData(3, -1, 3)]
    public void A_codec_that_reports_a_frame_outside_its_input_is_found_out(int bodyOffset, int bodyBytes, int frameBytes)
    {
        FrameFormat format = FrameFormat.Create(new FixedCodec { Reported = new FrameBounds(bodyOffset, bodyBytes, frameBytes) });
        byte[] bytes = [1, 2, 3, 4, 5, 6];
        foreach (int cut in new[] { 0, 1 })
        {
            ReadOnlySequence<byte> buffer = Segments.Cut(bytes, cut);
            Exception? fault = Record.Exception(() => format.DecodeBatch(in buffer, 0, new RecordingSink()));
            Assert.True(fault is InvalidOperationException or ArgumentOutOfRangeException, fault?.ToString() ?? "nothing was thrown");
        }
    }

    [Fact]
    public void A_codec_with_impossible_properties_is_refused()
    {
        ArgumentException refusal = Assert.Throws<ArgumentException>(() => FrameFormat.Create(new FixedCodec { HeaderBytes = -1 }));
        Assert.Contains("HeaderBytes of the codec 'fixed' must be from 0 to 65,535, but is -1", refusal.Message, StringComparison.Ordinal);
    }

    /// <summary>Every three bytes are a frame, unless it is told to report something else.</summary>
    private readonly struct FixedCodec : IFrameCodec
    {
        private const int FrameBytes = 3;

        public FixedCodec()
        {
        }

        public FrameBounds Reported { get; init; } = new(0, FrameBytes, FrameBytes);

        public override string ToString() => "fixed";

        public int HeaderBytes { get; init; }

        public int MaxFrameBytes => FrameBytes;

        public int MaxBodyBytes => FrameBytes;

        public int TrailerBytes => 0;

        public DecodeStatus TryDecode(ReadOnlySpan<byte> input, out FrameHeader header, out FrameBounds bounds) =>
            Judge(input.Length, out header, out bounds);

        public DecodeStatus TryDecode(in ReadOnlySequence<byte> input, out FrameHeader header, out FrameBounds bounds) =>
            Judge(input.Length, out header, out bounds);

        public bool CanCarry(ReadOnlySpan<byte> body) => body.Length == FrameBytes;

        public void WriteHeader(Span<byte> destination, FrameHeader header, int bodyBytes)
        {
        }

        public void WriteTrailer(Span<byte> destination)
        {
        }

        private DecodeStatus Judge(long availableBytes, out FrameHeader header, out FrameBounds bounds)
        {
            header = default;
            bounds = Reported;
            return availableBytes >= FrameBytes ? DecodeStatus.Frame : DecodeStatus.NeedMoreData;
        }
    }
}
