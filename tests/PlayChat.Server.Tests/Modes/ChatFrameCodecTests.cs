using System.Buffers;
using PlayChat.Core.Framing;
using PlayChat.Server.Modes;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Modes;

public sealed class ChatFrameCodecTests
{
    private static readonly FrameFormat s_format = FrameFormat.Create(new ChatFrameCodec(maxClientFrameBytes: 5000));

    [Fact]
    public void It_reads_and_writes_what_the_packet_format_does_wherever_the_input_is_cut()
    {
        FrameFormat packet = FrameFormat.Packet();
        byte[] bytes = new byte[packet.GetEncodedBytes(3) + packet.GetEncodedBytes(0)];
        int first = packet.Encode([1, 2, 3], new FrameHeader(0x1234, 0x5678), bytes);
        packet.Encode([], new FrameHeader(7, 8), bytes.AsSpan(first));
        byte[] ours = new byte[first];
        s_format.Encode([1, 2, 3], new FrameHeader(0x1234, 0x5678), ours);

        Assert.Equal(bytes[..first], ours);
        for (int piece = 1; piece <= bytes.Length; piece++)
        {
            List<(FrameHeader Header, byte[] Body)> frames = [];
            (long consumed, DecodeStatus status) = FrameScan.ReadAll(
                s_format, SegmentedBytes.Cut(bytes, piece), (in Frame frame) => frames.Add((frame.Header, frame.ToArray())));

            Assert.Equal((bytes.Length, DecodeStatus.NeedMoreData), ((int)consumed, status));
            Assert.Equal([new FrameHeader(0x1234, 0x5678), new FrameHeader(7, 8)], frames.Select(frame => frame.Header));
            Assert.Equal([1, 2, 3], frames[0].Body);
        }
    }

    [Theory]
    [InlineData(3, DecodeStatus.Malformed)]
    [InlineData(4, DecodeStatus.NeedMoreData)]
    [InlineData(5000, DecodeStatus.NeedMoreData)]
    [InlineData(5001, DecodeStatus.TooLarge)]
    [InlineData(-1, DecodeStatus.TooLarge)]
    public void A_length_is_judged_by_its_four_bytes(int length, DecodeStatus expected)
    {
        byte[] bytes = [(byte)(length >> 24), (byte)(length >> 16), (byte)(length >> 8), (byte)length];

        Assert.Equal(expected, FrameScan.ReadAll(s_format, new ReadOnlySequence<byte>(bytes), (in Frame _) => { }).Status);
    }

    [Fact]
    public void The_server_may_send_more_than_it_takes()
    {
        byte[] body = new byte[100_000];
        byte[] encoded = new byte[s_format.GetEncodedBytes(body.Length)];

        Assert.Equal(encoded.Length, s_format.Encode(body, default, encoded));
    }
}
