using System.Buffers;
using PlayChat.Core.Framing;

namespace PlayChat.Core.Tests.Framing;

/// <summary>The view on one received frame.</summary>
public sealed class FrameTests
{
    [Fact]
    public void A_frame_made_of_a_body_reads_the_same_in_one_segment_and_in_two()
    {
        byte[] bytes = [1, 2, 3];
        ReadOnlySequence<byte> one = Segments.Cut(bytes);
        ReadOnlySequence<byte> two = Segments.Cut(bytes, 1);
        FrameData wholeData = FrameData.OfBody(in one, new FrameHeader(7, 8, 9));
        FrameData splitData = FrameData.OfBody(in two);
        var whole = new Frame(in wholeData);
        var split = new Frame(in splitData);

        Assert.Equal((7, 8, 9), (whole.PacketId, whole.RequestId, whole.Header.SenderId));
        Assert.True(whole.TryGetSpan(out ReadOnlySpan<byte> span));
        Assert.Equal(bytes, span.ToArray());
        Assert.False(split.TryGetSpan(out ReadOnlySpan<byte> none));
        Assert.True(none.IsEmpty);
        Assert.Equal(3, split.BodyBytes);
        Assert.Equal(bytes, split.ToArray());
        Assert.Equal(bytes, split.Body.ToArray());
    }

    [Fact]
    public void A_copy_fills_the_front_of_its_destination_and_refuses_a_small_one()
    {
        byte[] bytes = [1, 2, 3];
        foreach (int cut in new[] { 0, 1 })
        {
            ReadOnlySequence<byte> body = Segments.Cut(bytes, cut);
            byte[] destination = new byte[5];

            FrameData data = FrameData.OfBody(in body);
            new Frame(in data).CopyTo(destination);

            Assert.Equal([1, 2, 3, 0, 0], destination);
            Assert.ThrowsAny<ArgumentException>(() => new Frame(in data).CopyTo(new byte[2]));
        }
    }

    [Fact]
    public void An_empty_frame_has_an_empty_body_of_every_kind()
    {
        FrameData data = FrameData.OfBody(ReadOnlySequence<byte>.Empty);
        var frame = new Frame(in data);

        Assert.Equal(0, frame.BodyBytes);
        Assert.True(frame.Body.IsEmpty);
        Assert.Empty(frame.ToArray());
        Assert.True(frame.TryGetSpan(out ReadOnlySpan<byte> span));
        Assert.True(span.IsEmpty);
        frame.CopyTo([]);
    }
}
