using System.Buffers;
using PlayChat.Core.Buffers;
using PlayChat.Core.Connections;
using PlayChat.Core.Framing;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Connections;

public sealed class FrameLayoutTests
{
    private static readonly FrameHeader s_header = new(PacketId: 5, RequestId: 6, SenderId: 7);

    private static readonly Dictionary<string, FrameFormat> s_formats = new FrameFormat[]
    {
        FrameFormat.Packet(), FrameFormat.LengthPrefixed(), FrameFormat.SenderPrefixed(), FrameFormat.Line(), FrameFormat.Raw(),
    }.ToDictionary(static format => format.Name, StringComparer.Ordinal);

    public static TheoryData<string> Formats => [.. s_formats.Keys];

    [Theory]
    [MemberData(nameof(Formats))]
    public void A_frame_that_is_written_in_place_is_the_frame_that_the_format_encodes(string name)
    {
        FrameFormat format = s_formats[name];
        var layout = new FrameLayout(format);
        byte[] expected = new byte[format.GetEncodedBytes(4)];
        format.Encode("body"u8, s_header, expected);

        byte[] frame = new byte[layout.BytesOf(4)];
        "body"u8.CopyTo(layout.Write(frame, s_header, 4));

        Assert.Equal(expected, frame);
    }

    [Fact]
    public void A_rented_frame_fills_memory_of_its_own()
    {
        var pool = new CountingSegmentPool();
        var layout = new FrameLayout(FrameFormat.Line());

        Segment segment = layout.Rent(pool, s_header, 4, out Span<byte> body);
        "body"u8.CopyTo(body);

        Assert.Equal("body\n"u8.ToArray(), segment.Array[..segment.Written]);
        segment.Release();
        pool.Verify();
    }

    [Fact]
    public void A_codec_that_throws_while_a_frame_is_written_costs_no_memory()
    {
        var pool = new CountingSegmentPool();
        var layout = new FrameLayout(FrameFormat.Create(default(ThrowingCodec)));

        Assert.Throws<FormatException>(() => layout.Rent(pool, s_header, 4, out _));

        Assert.Equal(1, pool.Statistics.Rents);
        pool.Verify();
    }

    [Theory]
    [InlineData(101)]
    [InlineData(-1)]
    public void A_length_that_the_format_does_not_carry_is_refused(int bodyBytes)
    {
        var pool = new CountingSegmentPool();
        var layout = new FrameLayout(FrameFormat.LengthPrefixed(maxFrameBytes: 100));

        layout.RequireCarries(100);
        ArgumentException refusal = Assert.Throws<ArgumentException>(() => layout.RequireCarries(bodyBytes));

        Assert.Contains($"A body of {bodyBytes} bytes does not fit this format: at most 100.", refusal.Message, StringComparison.Ordinal);
        Assert.Throws<ArgumentException>(() => layout.Rent(pool, s_header, bodyBytes, out _));
        Assert.Equal(0, pool.Statistics.Rents);
    }

    [Fact]
    public void Only_a_format_with_a_delimiter_refuses_a_body_for_its_content()
    {
        new FrameLayout(FrameFormat.Packet()).RequireCarries("two\nlines"u8);
        new FrameLayout(FrameFormat.Line()).RequireCarries("one line"u8);
        Assert.Throws<ArgumentException>(static () => new FrameLayout(FrameFormat.Line()).RequireCarries("two\nlines"u8));
    }

    /// <summary>An application's own format that does not write.</summary>
    private readonly struct ThrowingCodec : IFrameCodec
    {
        public override string ToString() => "throwing";

        public int MaxFrameBytes => 100;

        public int MaxBodyBytes => 100;

        public int HeaderBytes => 1;

        public int TrailerBytes => 0;

        public DecodeStatus TryDecode(ReadOnlySpan<byte> input, out FrameHeader header, out FrameBounds bounds) =>
            throw new FormatException();

        public DecodeStatus TryDecode(in ReadOnlySequence<byte> input, out FrameHeader header, out FrameBounds bounds) =>
            throw new FormatException();

        public bool CanCarry(ReadOnlySpan<byte> body) => true;

        public void WriteHeader(Span<byte> destination, FrameHeader header, int bodyBytes) => throw new FormatException();

        public void WriteTrailer(Span<byte> destination) => throw new FormatException();
    }
}
