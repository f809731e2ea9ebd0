using System.Buffers;
using PlayChat.Core.Framing;

namespace PlayChat.Core.Tests.Framing;

/// <summary>The same stream, however it arrives, gives the same frames.</summary>
public sealed class FrameSplitTests
{
    [Theory]
    [MemberData(nameof(WireFormats.DelimitedNames), MemberType = typeof(WireFormats))]
    public void Frames_that_arrive_glued_are_taken_one_by_one(string name)
    {
        FrameFormat format = WireFormats.Get(name);
        (byte[] bytes, ReceivedFrame[] expected) = WireFormats.Sample(format);

        AssertAllTaken(format, new ReadOnlySequence<byte>(bytes), expected);
    }

    [Theory]
    [MemberData(nameof(WireFormats.DelimitedNames), MemberType = typeof(WireFormats))]
    public void Frames_that_arrive_byte_by_byte_are_taken_when_they_are_whole(string name)
    {
        FrameFormat format = WireFormats.Get(name);
        (byte[] bytes, ReceivedFrame[] expected) = WireFormats.Sample(format);
        var sink = new RecordingSink();
        int start = 0;

        for (int end = 1; end <= bytes.Length; end++)
        {
            var buffer = new ReadOnlySequence<byte>(bytes, start, end - start);
            FrameBatch batch = format.DecodeBatch(in buffer, 0, sink);
            Assert.Equal(DecodeStatus.NeedMoreData, batch.Status);
            Assert.Equal(FrameVerdict.Continue, batch.Verdict);
            start += (int)batch.ConsumedBytes;
        }

        Assert.Equal(bytes.Length, start);
        Assert.Equal(expected, sink.Frames);
    }

    [Theory]
    [MemberData(nameof(WireFormats.DelimitedNames), MemberType = typeof(WireFormats))]
    public void A_stream_in_two_or_three_segments_gives_the_same_frames_wherever_it_is_cut(string name)
    {
        FrameFormat format = WireFormats.Get(name);
        (byte[] bytes, ReceivedFrame[] expected) = WireFormats.Sample(format);

        for (int first = 0; first <= bytes.Length; first++)
        {
            AssertAllTaken(format, Segments.Cut(bytes, first), expected);
            for (int second = first; second <= bytes.Length; second++)
            {
                AssertAllTaken(format, Segments.Cut(bytes, first, second), expected);
            }
        }
    }

    [Theory]
    [MemberData(nameof(WireFormats.DelimitedNames), MemberType = typeof(WireFormats))]
    public void A_stream_with_every_byte_in_its_own_segment_gives_the_same_frames(string name)
    {
        FrameFormat format = WireFormats.Get(name);
        (byte[] bytes, ReceivedFrame[] expected) = WireFormats.Sample(format);

        AssertAllTaken(format, Segments.CutEverywhere(bytes), expected);
    }

    [Theory]
    [MemberData(nameof(WireFormats.DelimitedNames), MemberType = typeof(WireFormats))]
    public void A_stream_that_ends_anywhere_and_is_cut_anywhere_waits_at_the_partial_frame(string name)
    {
        FrameFormat format = WireFormats.Get(name);
        (byte[] bytes, ReceivedFrame[] expected) = WireFormats.Sample(format);

        for (int end = 0; end < bytes.Length; end++)
        {
            var whole = new RecordingSink();
            var contiguous = new ReadOnlySequence<byte>(bytes, 0, end);
            FrameBatch reference = format.DecodeBatch(in contiguous, 0, whole);
            Assert.Equal(expected.Take(whole.Frames.Count), whole.Frames);

            for (int cut = 0; cut <= end; cut++)
            {
                var sink = new RecordingSink();
                ReadOnlySequence<byte> buffer = Segments.Cut(bytes.AsMemory(0, end), cut);
                Assert.Equal(reference, format.DecodeBatch(in buffer, 0, sink));
                Assert.Equal(whole.Frames, sink.Frames);
            }
        }
    }

    [Fact]
    public void Only_a_body_that_crosses_a_seam_is_not_a_span()
    {
        FrameFormat format = FrameFormat.Packet();
        byte[] bytes =
            [.. WireFormats.Encode(format, [1, 2, 3, 4]), .. WireFormats.Encode(format, [5, 6, 7, 8]), .. WireFormats.Encode(format, [9])];

        Assert.Equal(3, SpansOf(format, Segments.Cut(bytes, 3))); // in the first header
        Assert.Equal(3, SpansOf(format, Segments.Cut(bytes, 8))); // between header and body
        Assert.Equal(2, SpansOf(format, Segments.Cut(bytes, 10))); // in the first body
        Assert.Equal(3, SpansOf(format, Segments.Cut(bytes, 12, 12, 24))); // between the frames
    }

    private static int SpansOf(FrameFormat format, ReadOnlySequence<byte> buffer)
    {
        var sink = new RecordingSink();
        format.DecodeBatch(in buffer, 0, sink);
        return sink.Spans;
    }

    private static void AssertAllTaken(FrameFormat format, ReadOnlySequence<byte> buffer, ReceivedFrame[] expected)
    {
        var sink = new RecordingSink();

        FrameBatch batch = format.DecodeBatch(in buffer, 0, sink);

        Assert.Equal(
            new FrameBatch(DecodeStatus.NeedMoreData, FrameVerdict.Continue, buffer.Length, expected.Length, MissingBytes: 0), batch);
        Assert.Equal(expected, sink.Frames);
    }
}
