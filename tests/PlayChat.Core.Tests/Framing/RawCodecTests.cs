using System.Buffers;
using PlayChat.Core.Framing;

namespace PlayChat.Core.Tests.Framing;

/// <summary>A stream without frames is handed on in the pieces it arrives in.</summary>
public sealed class RawCodecTests
{
    [Fact]
    public void What_was_received_together_is_one_frame()
    {
        byte[] bytes = [1, 2, 3, 4, 5];
        var sink = new RecordingSink();

        FrameBatch batch = FrameFormat.Raw().DecodeBatch(Segments.Cut(bytes), 0, sink);

        Assert.Equal(new FrameBatch(DecodeStatus.NeedMoreData, FrameVerdict.Continue, 5, Frames: 1, MissingBytes: 0), batch);
        Assert.Equal([ReceivedFrame.Of(default, bytes)], sink.Frames);
    }

    [Fact]
    public void More_than_the_limit_is_several_frames_and_never_too_large()
    {
        byte[] bytes = [1, 2, 3, 4, 5];
        var sink = new RecordingSink();

        FrameFormat.Raw(maxFrameBytes: 4).DecodeBatch(Segments.Cut(bytes), 0, sink);

        Assert.Equal([ReceivedFrame.Of(default, [1, 2, 3, 4]), ReceivedFrame.Of(default, [5])], sink.Frames);
    }

    [Fact]
    public void Every_byte_arrives_once_and_in_order_wherever_the_input_is_cut()
    {
        FrameFormat format = FrameFormat.Raw(maxFrameBytes: 4);
        byte[] bytes = Enumerable.Range(0, 11).Select(value => (byte)value).ToArray();
        for (int first = 0; first <= bytes.Length; first++)
        {
            for (int second = first; second <= bytes.Length; second++)
            {
                var sink = new RecordingSink();
                ReadOnlySequence<byte> buffer = Segments.Cut(bytes, first, second);

                FrameBatch batch = format.DecodeBatch(in buffer, 0, sink);

                Assert.Equal(bytes.Length, batch.ConsumedBytes);
                Assert.Equal(Convert.ToHexString(bytes), string.Concat(sink.Frames.Select(frame => frame.BodyHex)));
                Assert.All(sink.Frames, frame => Assert.InRange(frame.BodyHex.Length, 2, 8));
            }
        }
    }
}
