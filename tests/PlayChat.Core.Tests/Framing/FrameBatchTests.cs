using System.Buffers;
using PlayChat.Core.Framing;

namespace PlayChat.Core.Tests.Framing;

/// <summary>How a batch ends, and where the next one goes on.</summary>
public sealed class FrameBatchTests
{
    [Theory]
    [MemberData(nameof(WireFormats.DelimitedNames), MemberType = typeof(WireFormats))]
    public void A_paused_batch_goes_on_behind_its_frame_in_the_same_buffer(string name)
    {
        FrameFormat format = WireFormats.Get(name);
        (byte[] bytes, ReceivedFrame[] expected) = WireFormats.Sample(format);

        for (int cut = 0; cut <= bytes.Length; cut++)
        {
            ReadOnlySequence<byte> buffer = Segments.Cut(bytes, cut);
            var sink = new RecordingSink { Verdict = static _ => FrameVerdict.Pause };
            long offset = 0;
            for (int frames = 1; frames <= expected.Length; frames++)
            {
                FrameBatch batch = format.DecodeBatch(in buffer, offset, sink);
                Assert.Equal(DecodeStatus.Frame, batch.Status);
                Assert.Equal(FrameVerdict.Pause, batch.Verdict);
                Assert.Equal(1, batch.Frames);
                Assert.True(batch.ConsumedBytes > offset);
                offset = batch.ConsumedBytes;
            }

            Assert.Equal(buffer.Length, offset);
            FrameBatch end = format.DecodeBatch(in buffer, offset, sink);
            Assert.Equal(new FrameBatch(DecodeStatus.NeedMoreData, FrameVerdict.Continue, buffer.Length, Frames: 0, MissingBytes: 0), end);
            Assert.Equal(expected, sink.Frames);
        }
    }

    [Theory]
    [MemberData(nameof(WireFormats.DelimitedNames), MemberType = typeof(WireFormats))]
    public void A_batch_that_is_stopped_takes_no_further_frame(string name)
    {
        FrameFormat format = WireFormats.Get(name);
        (byte[] bytes, ReceivedFrame[] expected) = WireFormats.Sample(format);

        for (int cut = 0; cut <= bytes.Length; cut++)
        {
            ReadOnlySequence<byte> buffer = Segments.Cut(bytes, cut);
            var sink = new RecordingSink { Verdict = static index => index == 2 ? FrameVerdict.Stop : FrameVerdict.Continue };

            FrameBatch batch = format.DecodeBatch(in buffer, 0, sink);

            Assert.Equal(DecodeStatus.Frame, batch.Status);
            Assert.Equal(FrameVerdict.Stop, batch.Verdict);
            Assert.Equal(3, batch.Frames);
            Assert.Equal(expected.Take(3), sink.Frames);
            long firstThreeBytes = (3 * (format.HeaderBytes + format.TrailerBytes)) + 4; // bodies of 0, 1 and 3 bytes
            Assert.Equal(firstThreeBytes, batch.ConsumedBytes);
        }
    }

    [Theory]
    [MemberData(nameof(WireFormats.Names), MemberType = typeof(WireFormats))]
    public void An_empty_buffer_holds_no_frame_and_is_no_partial_one(string name)
    {
        FrameFormat format = WireFormats.Get(name);
        var sink = new RecordingSink();
        var expected = new FrameBatch(DecodeStatus.NeedMoreData, FrameVerdict.Continue, 0, 0, MissingBytes: 0);

        ReadOnlySequence<byte> empty = ReadOnlySequence<byte>.Empty;
        ReadOnlySequence<byte> none = default;
        ReadOnlySequence<byte> emptySegments = Segments.Cut(ReadOnlyMemory<byte>.Empty, 0, 0);

        Assert.Equal(expected, format.DecodeBatch(in empty, 0, sink));
        Assert.Equal(expected, format.DecodeBatch(in none, 0, sink));
        Assert.Equal(expected, format.DecodeBatch(in emptySegments, 0, sink));
        Assert.Empty(sink.Frames);
    }

    [Theory]
    [MemberData(nameof(WireFormats.PrefixedNames), MemberType = typeof(WireFormats))]
    public void A_partial_frame_tells_how_much_it_lacks(string name)
    {
        FrameFormat format = WireFormats.Get(name);
        byte[] frame = WireFormats.Encode(format, [1, 2, 3, 4, 5]);
        int lengthBytes = format.Name is "packet" or "length4" or "length4-le" ? 4 : 2;

        for (int arrived = 1; arrived < frame.Length; arrived++)
        {
            int expected = (arrived < lengthBytes ? format.HeaderBytes : frame.Length) - arrived;
            for (int cut = 0; cut <= arrived; cut++)
            {
                ReadOnlySequence<byte> buffer = Segments.Cut(frame.AsMemory(0, arrived), cut);
                Assert.Equal(expected, format.DecodeBatch(in buffer, 0, new RecordingSink()).MissingBytes);
            }
        }
    }

    [Theory]
    [MemberData(nameof(WireFormats.PrefixedNames), MemberType = typeof(WireFormats))]
    public void A_body_one_byte_over_the_limit_is_refused_from_its_length_alone(string name)
    {
        FrameFormat format = WireFormats.Get(name);
        byte[] good = WireFormats.Encode(format, [1]);
        byte[] length = LengthField(format, format.MaxBodyBytes + 1);
        byte[] bytes = [.. good, .. length];

        for (int cut = 0; cut <= bytes.Length; cut++)
        {
            ReadOnlySequence<byte> buffer = Segments.Cut(bytes, cut);
            FrameBatch batch = format.DecodeBatch(in buffer, 0, new RecordingSink());
            Assert.Equal(new FrameBatch(DecodeStatus.TooLarge, FrameVerdict.Continue, good.Length, Frames: 1, MissingBytes: 0), batch);
        }
    }

    [Theory]
    [InlineData("packet")]
    [InlineData("length4")]
    [InlineData("length4-le")]
    public void A_negative_or_huge_length_is_refused_from_its_length_alone(string name)
    {
        FrameFormat format = WireFormats.Get(name);
        foreach (int length in new[] { -1, -4, int.MinValue, int.MaxValue, int.MaxValue - 3 })
        {
            byte[] bytes = BitConverter.GetBytes(length);
            if (!name.EndsWith("-le", StringComparison.Ordinal))
            {
                Array.Reverse(bytes);
            }

            for (int cut = 0; cut <= bytes.Length; cut++)
            {
                ReadOnlySequence<byte> buffer = Segments.Cut(bytes, cut);
                FrameBatch batch = format.DecodeBatch(in buffer, 0, new RecordingSink());
                Assert.Equal(new FrameBatch(DecodeStatus.TooLarge, FrameVerdict.Continue, 0, Frames: 0, MissingBytes: 0), batch);
            }
        }
    }

    [Fact]
    public void A_packet_length_that_does_not_cover_its_ids_is_malformed_from_its_length_alone()
    {
        FrameFormat format = FrameFormat.Packet();
        for (byte length = 0; length < 4; length++)
        {
            byte[] bytes = [0, 0, 0, length, 1, 2, 3, 4];
            for (int arrived = 4; arrived <= bytes.Length; arrived++)
            {
                ReadOnlySequence<byte> buffer = Segments.Cut(bytes.AsMemory(0, arrived), 2);
                Assert.Equal(DecodeStatus.Malformed, format.DecodeBatch(in buffer, 0, new RecordingSink()).Status);
            }
        }
    }

    /// <summary>Only the length field of a frame with that body, as another format with a higher limit writes it.</summary>
    private static byte[] LengthField(FrameFormat format, int bodyBytes)
    {
        (FrameFormat larger, int lengthBytes) = format.Name switch
        {
            "packet" => (FrameFormat.Packet(), 4),
            "sender" => (FrameFormat.SenderPrefixed(), 2),
            "length4" => (FrameFormat.LengthPrefixed(), 4),
            "length4-le" => (FrameFormat.LengthPrefixed(littleEndian: true), 4),
            "length2" => (FrameFormat.LengthPrefixed(prefixBytes: 2), 2),
            _ => (FrameFormat.LengthPrefixed(prefixBytes: 2, littleEndian: true), 2),
        };
        byte[] header = new byte[larger.HeaderBytes];
        larger.WriteHeader(header, default, bodyBytes);
        return header[..lengthBytes];
    }
}
