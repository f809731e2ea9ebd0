using PlayChat.Core.Framing;

namespace PlayChat.Core.Tests.Framing;

/// <summary>The bytes on the wire, as proto/PROTOCOL.md gives them.</summary>
public sealed class WireFormTests
{
    private static readonly FrameHeader s_header = new(PacketId: 0x0102, RequestId: 0x0304, SenderId: 0x0506);

    [Fact]
    public void A_packet_is_length_packet_id_request_id_payload_in_network_order() =>
        Assert.Equal([0, 0, 0, 6, 1, 2, 3, 4, 0xAA, 0xBB], WireFormats.Encode(FrameFormat.Packet(), [0xAA, 0xBB], s_header));

    [Fact]
    public void A_packet_is_also_a_length_prefixed_frame()
    {
        byte[] packet = WireFormats.Encode(FrameFormat.Packet(), [0xAA], s_header);
        var sink = new RecordingSink();

        FrameFormat.LengthPrefixed().DecodeBatch(Segments.Cut(packet), 0, sink);

        Assert.Equal([ReceivedFrame.Of(default, [1, 2, 3, 4, 0xAA])], sink.Frames);
    }

    [Theory]
    [InlineData(4, false, new byte[] { 0, 0, 1, 2 })]
    [InlineData(4, true, new byte[] { 2, 1, 0, 0 })]
    [InlineData(2, false, new byte[] { 1, 2 })]
    [InlineData(2, true, new byte[] { 2, 1 })]
    public void A_length_prefix_has_the_size_and_byte_order_asked_for(int prefixBytes, bool littleEndian, byte[] expected)
    {
        FrameFormat format = FrameFormat.LengthPrefixed(prefixBytes: prefixBytes, littleEndian: littleEndian);

        byte[] encoded = WireFormats.Encode(format, new byte[0x0102], s_header);

        Assert.Equal(expected, encoded[..prefixBytes]);
        Assert.Equal(prefixBytes + 0x0102, encoded.Length);
    }

    [Fact]
    public void A_sender_prefix_is_payload_length_sender_payload_in_network_order() =>
        Assert.Equal([0, 2, 5, 6, 0xAA, 0xBB], WireFormats.Encode(FrameFormat.SenderPrefixed(), [0xAA, 0xBB], s_header));

    [Fact]
    public void A_two_byte_length_is_unsigned()
    {
        FrameFormat format = FrameFormat.LengthPrefixed(prefixBytes: 2);
        byte[] body = new byte[ushort.MaxValue];
        body[^1] = 7;
        var sink = new RecordingSink();

        format.DecodeBatch(Segments.Cut(WireFormats.Encode(format, body)), 0, sink);

        Assert.Equal([ReceivedFrame.Of(default, body)], sink.Frames);
    }

    [Fact]
    public void A_line_is_sent_with_a_line_feed_alone() =>
        Assert.Equal("hello\n"u8.ToArray(), WireFormats.Encode(FrameFormat.Line(), "hello"u8, s_header));

    [Fact]
    public void Raw_bytes_are_sent_as_they_are() =>
        Assert.Equal([1, 2], WireFormats.Encode(FrameFormat.Raw(), [1, 2], s_header));
}
