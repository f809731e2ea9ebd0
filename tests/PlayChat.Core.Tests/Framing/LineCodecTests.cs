using System.Buffers;
using System.Text;
using PlayChat.Core.Framing;

namespace PlayChat.Core.Tests.Framing;

/// <summary>What ends a line, and when one is too long.</summary>
public sealed class LineCodecTests
{
    [Theory]
    [InlineData("a\nb\n", "a|b")]
    [InlineData("a\r\nb\r\n", "a|b")]
    [InlineData("\n\r\n\n", "||")]
    [InlineData("a\rb\n", "a\rb")]
    [InlineData("a\r\r\n", "a\r")]
    [InlineData("\r\r\n", "\r")]
    [InlineData("안녕 👋\r\n", "안녕 👋")]
    public void A_line_feed_ends_a_line_and_one_carriage_return_before_it_is_cut(string text, string expected)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(text);
        string[] lines = expected.Split('|');
        for (int cut = 0; cut <= bytes.Length; cut++)
        {
            var sink = new RecordingSink();
            ReadOnlySequence<byte> buffer = Segments.Cut(bytes, cut);

            FrameFormat.Line().DecodeBatch(in buffer, 0, sink);

            Assert.Equal(lines.Select(line => ReceivedFrame.Of(default, Encoding.UTF8.GetBytes(line))), sink.Frames);
        }
    }

    [Theory]
    [InlineData("1234\n", DecodeStatus.NeedMoreData, 1)]
    [InlineData("1234\r\n", DecodeStatus.NeedMoreData, 1)]
    [InlineData("1234", DecodeStatus.NeedMoreData, 0)]
    [InlineData("1234\r", DecodeStatus.NeedMoreData, 0)]
    [InlineData("12345", DecodeStatus.TooLarge, 0)]
    [InlineData("12345\n", DecodeStatus.TooLarge, 0)]
    [InlineData("12345\r", DecodeStatus.TooLarge, 0)]
    [InlineData("12345\r\n", DecodeStatus.TooLarge, 0)]
    [InlineData("1234\r\r", DecodeStatus.TooLarge, 0)]
    [InlineData("1234\r5", DecodeStatus.TooLarge, 0)]
    [InlineData("1234567890123456789012345678901234567890\n", DecodeStatus.TooLarge, 0)]
    [InlineData("1\n12345", DecodeStatus.TooLarge, 1)]
    public void A_line_is_too_large_as_soon_as_no_end_could_make_it_fit(string text, DecodeStatus status, int frames)
    {
        FrameFormat format = FrameFormat.Line(maxFrameBytes: 4);
        byte[] bytes = Encoding.UTF8.GetBytes(text);
        for (int first = 0; first <= bytes.Length; first++)
        {
            for (int second = first; second <= bytes.Length; second++)
            {
                ReadOnlySequence<byte> buffer = Segments.Cut(bytes, first, second);
                FrameBatch batch = format.DecodeBatch(in buffer, 0, new RecordingSink());
                Assert.Equal(status, batch.Status);
                Assert.Equal(frames, batch.Frames);
            }
        }
    }

    [Fact]
    public void A_body_with_a_line_feed_cannot_be_sent()
    {
        FrameFormat format = FrameFormat.Line();

        Assert.False(format.CanCarry("two\nlines"u8));
        Assert.True(format.CanCarry("one line\r"u8));
        ArgumentException refusal = Assert.Throws<ArgumentException>(() => format.Encode("two\nlines"u8, default, new byte[100]));
        Assert.Contains("'line'", refusal.Message, StringComparison.Ordinal);
    }
}
